"""The to-do list: what to do next, from the review's own tasks and from weaknesses that no task covers."""

from collections.abc import Callable, Iterable

from analyzers.review.points import Importance, Point, PointKind

_EFFORT = {"minutes": 0, "hours": 1, "days": 2}
Distance = Callable[[tuple[str, ...]], int | None]


def todo_list(points: Iterable[Point], distance: Distance = lambda anchors: None) -> tuple[Point, ...]:
    """The tasks in the order to take them: contradictions, then by distance to a main claim, importance and effort.

    A contradiction is a task by itself; a major weakness is one when no task shares an anchor with it.  `distance` gives
    the hops from a place to the nearest main claim, None when unknown.
    """
    everything = tuple(points)
    tasks = [point for point in everything if point.kind is PointKind.TODO]
    covered = {anchor for task in tasks for anchor in task.anchors}
    tasks += [point for point in everything if _is_task(point, covered)]
    return tuple(sorted(tasks, key=lambda point: _rank(point, distance)))


def _is_task(point: Point, covered: set[str]) -> bool:
    if point.kind is PointKind.CONTRADICTION:
        return True
    return point.kind is PointKind.WEAKNESS and point.importance is Importance.MAJOR and not covered & {*point.anchors}


def _rank(point: Point, distance: Distance) -> tuple[bool, int, bool, int]:
    hops = distance(point.anchors) if point.anchors else None
    return (
        point.kind is not PointKind.CONTRADICTION,
        99 if hops is None else hops,
        point.importance is not Importance.MAJOR,
        _EFFORT.get(point.effort, 1),
    )
