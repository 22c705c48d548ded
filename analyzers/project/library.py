"""Files that were read, parsed once: documents, bibliographies, and unsaved buffers that shadow the disk."""

from analyzers.finding import Note
from analyzers.project.bibliography import Bibliography, read_bibliography, update
from analyzers.project.reader import FileReader, ReadFailure
from analyzers.text.document import Document


class Library:
    """A cache over a `FileReader`; the only thing of a project that changes over time.

    Buffers of the editor go before files of the disk.  Everything handed out is immutable, so a manuscript made from it
    stays as it is.
    """

    def __init__(self, reader: FileReader) -> None:
        self.reader = reader
        self.remarks: dict[str, str] = {}
        self._buffers: dict[str, Document] = {}
        self._documents: dict[str, Document | ReadFailure] = {}
        self._bibliographies: dict[str, Bibliography] = {}

    def open(self, path: str, document: Document) -> None:
        """Show `document`, an editor's buffer, instead of the file."""
        self._buffers[path] = document

    def close(self, path: str) -> None:
        """The buffer is gone; the disk counts again."""
        self._buffers.pop(path, None)
        self._documents.pop(path, None)

    def changed(self, path: str) -> None:
        """The file changed on disk, appeared or went; it is read again when it is next asked for."""
        self._documents.pop(path, None)

    def changed_all(self) -> None:
        """Forget everything that came from the disk."""
        self._documents.clear()

    def buffer(self, path: str) -> Document | None:
        """The open buffer of a path."""
        return self._buffers.get(path)

    def document(self, path: str) -> Document | ReadFailure:
        """The document at `path`, or why there is none."""
        buffer = self._buffers.get(path)
        if buffer is not None:
            return buffer
        known = self._documents.get(path)
        if known is None:
            read = self.reader.read(path)
            if isinstance(read, ReadFailure):
                known = read
            else:
                if read.remark:
                    self.remarks[path] = read.remark
                known = Document(read.text)
            self._documents[path] = known
        return known

    def exists(self, path: str) -> bool:
        """True when the file can be read."""
        return isinstance(self.document(path), Document)

    def bibliography(self, path: str, text: str | None = None) -> Bibliography | ReadFailure:
        """The bibliography at `path`; with `text` that text is read instead (for `filecontents`)."""
        if text is None:
            document = self._buffers.get(path)
            if document is not None:
                text = document.text
            else:
                read = self._documents.get(path)
                if isinstance(read, Document):
                    text = read.text
                elif isinstance(read, ReadFailure):
                    return read
                else:
                    found = self.reader.read(path)
                    if isinstance(found, ReadFailure):
                        self._documents[path] = found
                        return found
                    if found.remark:
                        self.remarks[path] = found.remark
                    text = found.text
                    # A bibliography is no TeX; a document without blocks remembers its text only.
                    self._documents[path] = Document.raw(text)
        known = self._bibliographies.get(path)
        if known is None:
            known = read_bibliography(path, text)
        elif known.text is not text and known.text != text:
            known = update(known, text)
        self._bibliographies[path] = known
        return known

    def notes(self) -> tuple[Note, ...]:
        """Remarks about files that were read in an unusual way."""
        return tuple(Note(f"{path}: {remark}") for path, remark in sorted(self.remarks.items()))
