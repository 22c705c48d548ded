"""Short and foreign forms of given names, in groups; folded spelling."""

from collections import defaultdict

_GROUPS = """
alexander alex sasha aleksandr alexandre alessandro alejandro sacha
alexandra alex sasha
andrew andy drew andrei andrey andre andreas
anthony tony antonio anton
benjamin ben benny
catherine katherine kate kathy cathy katharina katarina ekaterina
charles charlie chuck carl karl
christopher chris kit
christina christine chris tina
daniel dan danny daniil
david dave davide
deborah debbie deb
dmitry dima dmitri dmitrii
edward ed eddie ted eduard
elizabeth liz beth betty eliza lisa elisabeth
emmanuel manny emanuel
eugene gene evgeny yevgeny evgenii
francis frank fran
frederick fred freddy frederic
gabriel gabe
geoffrey geoff jeffrey jeff
george georg georgios jorge yuri giorgio
gregory greg grigory
henry hank harry henri enrique
isaac ike
ivan vanya
jacob jake jakob
james jim jimmy jamie
jennifer jen jenny
jessica jess
john johnny jack johann johannes jan juan ivan jean giovanni hans jon
jonathan jon jonny
joseph joe joey josef jose giuseppe yosef
joshua josh
katherine katie kathryn
kenneth ken kenny
lawrence larry laurence
leonard leo len leonid
leonidas leo
margaret maggie peggy meg greta
matthew matt matthias matteo mathieu
maximilian max maxim maxime
megan meg
melissa mel
michael mike mick mikhail michel miguel michele mikael misha
natalia natalya natasha natalie
nathaniel nathan nate nat
nicholas nick nicolas nikolas nikolaus nikolai nico
nicole nikki
oliver ollie olivier
olga olya
patrick pat paddy patrice patricio
patricia pat patty
paul pablo pavel paolo
peter pete pierre pedro petr petros piotr pieter
philip phil philipp philippe
rebecca becky
richard rich rick dick ricardo
robert rob bob bobby roberto robbie
ronald ron ronny
russell russ
samuel sam sammy
samantha sam
sebastian seb bastian
sergey serge sergei sergio
stephen steve steven stefan stephan stefano etienne
steven steve stephen
susan sue suzanne susanne
theodore ted theo teddy
thomas tom tommy tomas tommaso
timothy tim timothee
valentin val
veronica vera
victor vic viktor
vincent vince
vladimir vlad volodya
walter walt
william will bill billy guillermo guillaume wilhelm liam
yulia julia yuliya
zachary zach zack
"""

_groups_of: defaultdict[str, set[int]] = defaultdict(set)
for _number, _line in enumerate(_GROUPS.split("\n")):
    for _word in _line.split():
        _groups_of[_word].add(_number)
GROUPS_OF = {word: frozenset(numbers) for word, numbers in _groups_of.items()}


def related(left: str, right: str) -> bool:
    """Whether two folded given names are forms of one."""
    return not GROUPS_OF.get(left, frozenset()).isdisjoint(GROUPS_OF.get(right, frozenset()))
