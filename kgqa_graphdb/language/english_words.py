"""Closed classes of English, by which questions ask, count, compare, rank and leave out; no word is of any graph."""

from __future__ import annotations

from typing import Literal, TypeAlias

from kgqa_graphdb.reductions import REDUCTIONS, of_family

Direction: TypeAlias = Literal["max", "min"]

# ── of any question, and of the names of relations ────────────────────────────────────────────────────────────────────

PREPOSITIONS = frozenset(
    "about after at before by for from in into near of on over since through to under until via with within".split()
)
NAME_AUXILIARIES = frozenset(("has", "have", "had", "is", "are", "was", "were"))
"""With which the name of a relation may begin: "has_genre"."""
ARTICLES = frozenset(("the", "a", "an"))
TITLES = frozenset(
    """mr mister mrs ms miss mx dr doctor prof professor sir dame lord lady king queen prince princess duke duchess
    emperor count countess baron president chancellor minister senator governor mayor judge justice captain general
    colonel major admiral commander sergeant lieutenant officer inspector detective agent saint st pope bishop father
    brother sister rev reverend rabbi imam sheikh uncle aunt chef coach nurse jr sr junior senior esq phd md
    mount mt lake river city town village county island bay cape port fort inc ltd llc plc corp corporation company co
    gmbh ag sa the""".split()
)
"""Words beside a name that say what bears it, and may be left out of it."""
STOP_WORDS = frozenset(
    "a about an and are as at be been by did do does for from had has have how i in is it its me of on or s some "
    "tell that the their them there these they this those to was were what when where which who whom whose why will "
    "with you your all any can could give list many much name please show".split()
)
"""Words that carry no topic of their own: no name is looked up by them alone."""
GRAMMAR_WORDS = PREPOSITIONS | frozenset(
    """a an the and or nor but not no if so than then that this these those there here it its it's he him his she her
    they them their theirs we us our you your i me my mine is isn't are was were be been being am do does did done
    has have had having can could will would shall should may might must what what's which who who's whom whose when
    when's where where's why how please tell give show list name find me s us all any some each every as out up off
    only just""".split()
)  # fmt: skip
"""Words that say nothing of the relation that is asked for."""
SHARING = frozenset(
    "same share shares shared sharing also other others another both common similar together too else fellow".split()
)
"""Words that say that two things have something in common, or that one more thing is meant: a walk out and back."""
INTERROGATIVES = {
    "who": "person", "whom": "person", "who's": "person", "when": "date or year", "when's": "date or year",
    "where": "place", "where's": "place", "what": "", "what's": "", "which": "",
}  # fmt: skip
"""Words that ask, and what for; empty: the noun after them says that."""
AMOUNT_QUESTIONS = {"how many": ("quantity", ""), "how much": ("quantity", "price or amount")}
"""What is asked for where a topic follows, and elsewhere."""
CLAUSE_WORDS = frozenset("do does did has have had can could will would".split())
"""What stands after an interrogative that has no noun."""
BEFORE_NUMBERS = frozenset(
    """after before since in during year years than over under above below between and from to until least most top
    first last exactly of by is are""".split()
)
"""What stands before a number that is compared with; after other words a number may be a name."""
JOINING = frozenset(
    "detail details line lines item items entry entries link links membership assignment association relation "
    "relationship mapping join allocation position".split()
)
"""Words for what joins; a node called so is a join node though it has a key of its own."""
VAGUE = frozenset(
    "has have is are of in to at by with on for from contains contain includes rel related relates relation linked "
    "link links connected connects associated association belongs".split()
)
"""A relationship type of such words alone is named after what it leads to."""
NEXT = frozenset("next following subsequent".split())
PREVIOUS = frozenset("previous preceding prior".split())
"""Adjectives of what comes after something, and before it."""
COMING = frozenset("come go lie stand".split())
"""Verbs that say no more than "is" of what is before or after something."""
AGENT_ENDINGS = ("er", "or", "ist", "ee")
"""How words for who does something end."""

# ── verbs that schemas are made of ────────────────────────────────────────────────────────────────────────────────────

# Base forms of verbs that schemas are made of; general English. A word that ends in -s is a verb only if it is one.
VERBS = frozenset(
    """accept acquire advise affect announce approve arrive assign attend author belong bind book borrow
    build buy call carry cause cite coach collect comment compete comprise conduct connect consist
    consume contain control cover create cure deliver depart depend describe design develop direct
    donate drive edit employ encode enroll exhibit explain export express extend feature finance find
    fly follow found fund generate govern grant handle have head hire hold host identify implement
    import include influence inherit inhibit insure interact introduce invest invite invoke join know
    launch lead learn lease lend like live locate love maintain make manage manufacture marry measure
    mention mentor monitor mount name need offer open operate order organize own participate pay perform
    play post precede prescribe present process produce promote propose protect provide publish purchase
    rate read receive recommend refer reference register regulate release rent repair replace reply
    report represent require review ride run schedule sell send serve share ship sign speak specialize
    specify sponsor start stock stop store study submit subscribe succeed supervise supply support take
    teach tell track trade train transport travel treat trigger trust use validate view visit want watch
    wear win work write""".split()
)
# Their third persons are plurals of nouns, too: of a type's properties ("music.recording.tracks") only that is meant.
ALSO_NOUNS = frozenset(
    """book call cause coach comment cover design exhibit feature find fund grant host hire influence lead like love
    make measure mention mount name need offer order process purchase rate release report review ride run schedule ship
    sign start stop store study supply track train transport travel trigger use view visit win work""".split()
)
# Whoever contains something is no "container" of it.
STATES = frozenset(
    """affect belong cause comprise connect consist contain cover depend describe explain feature have identify include
    influence interact involve know like live locate love measure mention mount need order precede refer reference
    replace represent require share specify succeed support trigger want work""".split()
)

ONLY_VERBS = frozenset(
    """admire adore allow avoid become believe choose defend deny destroy eat enjoy exceed follow forbid forgive give
    hate imply infect injure kill meet obey outbid occupy oppose pursue receive remember rescue rob see sing speak steal
    teach think understand write""".split()
)
"""Further verbs whose third persons are no plurals, and that have no noun of the same stem to tell that by."""
NOUNS_TOO = frozenset("audit defect effect form object part person project prospect rat section subject".split())
"""Nouns that have such a noun all the same: "audition" is no auditing."""

# "X is located in Y", "X was founded by Y": past forms that say what is done to their subject.
IS_DONE = frozenset(
    """affiliated assigned associated attached based connected dedicated derived employed headquartered inspired
    licensed linked located married named owned related situated""".split()
)
WAS_DONE = frozenset(
    """acquired born built buried composed created designed developed discovered elected established filmed founded
    invented killed launched manufactured produced published raised recorded released written""".split()
)

# Past forms that are no participles: what "flew on" something was not flown.
ONLY_PAST = frozenset(
    """ate began blew broke came chose did drank drew drove fell flew forgot froze gave grew knew ran rang rode rose
    sang sank saw shook spoke sprang stole swam swore threw took tore went woke wore wrote""".split()
)

# ── of questions that count, compare, rank and leave out ──────────────────────────────────────────────────────────────

NUMBERS = {
    word: number
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
    if word != "one"  # "one" is a pronoun more often
}
HIGH = frozenset(REDUCTIONS["max"].words)
LOW = frozenset(REDUCTIONS["min"].words)
RANKED = frozenset("top first bottom".split())
"""What "3 …" may follow without a measure of its own: "the top 3 products by price"."""
AGE = "age"
"""The measure of how old something is, where a property says so as an amount of time."""
AGES = (AGE, "old")
"""Words of such a property."""
AGE_ITSELF = frozenset(
    """age old in of at now current currently today approximate approx estimated average mean median years year months
    month weeks week days day""".split()
)
"""Words of a property that is how old something is now; an age of another name is that of something that happens."""
LASTING = frozenset("last lasts lasted".split())
"""Verbs that say no more than "is" of what is long or short."""
DIMENSIONS: dict[str, tuple[tuple[Direction, str], ...]] = {
    "oldest": (("min", "date of birth"), ("min", "year or date founded or released"), ("max", AGE)),
    "eldest": (("min", "date of birth"), ("max", AGE)),
    "youngest": (("max", "date of birth"), ("max", "year or date founded or released"), ("min", AGE)),
    "newest": (
        ("max", "year or date released"),
        ("max", "year or date founded or released"),
        ("min", AGE),
        ("max", "year or date started or hired or joined"),
    ),
    "latest": (("max", "year or date"),),
    "recent": (("max", "year or date"),),
    "earliest": (("min", "year or date"),),
    "longest": (("max", "length or duration"),),
    "shortest": (("min", "length or duration"), ("min", "height")),
    "tallest": (("max", "height"),),
    "highest": (("max", "height or elevation"),),
    "deepest": (("max", "depth"),),
    "widest": (("max", "width"),),
    "heaviest": (("max", "weight or mass"),),
    "lightest": (("min", "weight or mass"),),
    "fastest": (("max", "speed"),),
    "slowest": (("min", "speed"),),
    "cheapest": (("min", "price or cost"),),
    "costliest": (("max", "price or cost"),),
    "expensive": (("max", "price or cost"),),
    "largest": (("max", "size or area or population"), ("max", "diameter or width")),
    "biggest": (("max", "size or area or population"), ("max", "diameter or width")),
    "smallest": (("min", "size or area or population"), ("min", "diameter or width")),
    "populous": (("max", "population"),),
    "richest": (("max", "wealth or income"),),
    "poorest": (("min", "wealth or income"),),
}
"""What an adjective compares, and which way; "most" and "least" before one go the same way and the other.

A measure with "date" or "year" is a point in time, every other an amount.
"""
ORIGIN_MEASURES = frozenset(measure for one in ("youngest", "newest") for _, measure in DIMENSIONS[one][:2])
"""Since when something has been there."""
ORIGINS = frozenset(
    """born founded established created released opened built constructed published launched made produced
    manufactured incorporated formed introduced invented discovered completed inaugurated commissioned planted composed
    written painted recorded issued placed ordered posted sent signed filed submitted dated""".split()
)
"""What happened when something came to be; someone who was hired then was there before."""
BEGINS_OR_ENDS_LIFE = frozenset(
    "born birth birthday death died founded founding established opened built constructed launched formed".split()
)
"""Words of dates that are of what has them, not of what somebody did with it."""
ENDS = frozenset("death dead died end ended closing closed expiry expiration expires due until till update".split())
"""Words of points in time at which something was there already."""
SINCE = frozenset("since from start started begin began beginning date day year time when at on timestamp".split())
"""Words of properties that say when something began, or was."""
UNTIL = frozenset("until till to end ended ending left stop stopped finish finished expires expiry valid".split())
"""Words of properties that say when something ended."""
BEGINNINGS = frozenset(
    "start starts started starting begin begins began begun beginning join joined become became".split()
)
ENDINGS = frozenset("end ends ended ending stop stops stopped finish finished leave left quit until".split())
"""By which a question asks when something began, or ended."""
TIME_WORDS = frozenset(
    """year date day month time moment when since from until till start end begin beginning birth birthday death
    inception vintage debut opening closing founding foundation release launch""".split()
)
"""Words of properties that hold points in time, if only as numbers of years."""
COMPARATIVES = {
    f"{one[:-2]}r": one for one in DIMENSIONS if one.endswith("est") and one not in ("latest", "earliest", "highest")
}
"""Comparatives and their superlatives: "cheaper", "older"."""
ADJECTIVES = ("expensive", "recent", "populous")
"""What is compared with "more" and "less"."""
SIZES = frozenset("largest biggest smallest longest shortest".split())
"""What compares any measure that is named with it: "a population larger than 5 million"."""
MOMENTS = "year or date"
"""What is compared where a year is named and no measure."""
TIMES = frozenset("year month week day decade century".split())
PERSONS = frozenset(
    """person people human employee user member customer author actor player student accountant agent artist assistant
    associate captain champion chef chief child citizen clerk client coach colleague consultant contact crew curator
    doctor expert friend guest guide host judge lawyer librarian musician nurse official parent participant passenger
    patient physician pilot politician postdoc president professor resident sailor staff technician tenant veteran vet
    volunteer witness""".split()
)
NO_PERSONS = frozenset(
    """banner barrier boiler border buffer center centre chapter charter cluster color computer container cover cylinder
    disorder door drawer error factor filter finger floor flower folder freezer harbor header layer ledger
    letter lever locker matter meter mirror monitor motor newsletter number offer order paper pier poster printer
    processor register river router scanner sector semester sensor server shelter supplier tanker theater thriller
    timer tower tractor trailer transfer transistor transformer trigger vector voucher water weather""".split()
)
"""Nouns that end as those for persons do and name none."""
ORGANISATIONS = frozenset(
    "agency association authority bank brand business charity club company enterprise firm foundation institute "
    "institution ministry organisation organization shop store startup team university school".split()
)
EXCEPTIONS = frozenset("without except excluding".split())
"""Negations with which a condition begins."""
NEGATIONS = EXCEPTIONS | frozenset("not never no n't".split())
NOBODY = frozenset("nobody nothing none".split())
"""Pronouns that say of what something is done to that there is none such: "manage nobody"."""
AUXILIARIES = frozenset("is are was were do does did has have had can could".split())
BOUNDARIES = frozenset("that who which whose whom where with having and but , ; when while".split())
"""Where one condition ends and the next begins."""
PLAIN_PREPOSITIONS = frozenset("of in on at to for from by with into over across within".split())
"""Those that compare nothing, as "before" and "under" do."""
MOST = 999
"""A larger number before a noun says a year, not how many."""
DEFINITE = frozenset("the these those all both my your his her its our their 's s".split())
"""Words after which a number says how many there are, not how many there should be."""
FILLERS = frozenset(
    """a an the all any each every is are was were be been do does did has have had there their its his her our my it as
    also currently ever only than s both either or some someone something named called titled word words phrase term
    text please me us per number amount times different distinct unique whole among overall""".split()
)
"""Words that say nothing of what is compared."""
REQUESTS = frozenset("display fetch get identify provide determine retrieve return select".split())
"""Verbs that begin a request, beside "list" and "show"; elsewhere they may say something: who provides what."""
DETAILS = frozenset("detail details information info".split())
"""What is requested of something where nothing in particular is."""
RANKED_BY = frozenset("based ranked sorted measured according terms across".split())
"""Words that lead to a measure, such as "based on" and "in terms of"."""
FREQUENT = frozenset("frequent frequently often popular".split())
"""What is so most is so in the greatest number."""
MEASURES = frozenset(
    "amount amounts charge charges cost costs fee fees figure figures level levels value values".split()
)
"""Nouns that say after the name of a property that it is one: "freight cost"."""
LISTED = frozenset("given listed noted recorded specified stated".split())
"""Participles that say no more than "is" where no noun follows them."""
LIGHT = frozenset("place make take give get put use happen occur belong involve".split())
"""Verbs that say little without their nouns: "placed an order" is "ordered"."""
_PLACES = "city country town village address street state region province place location home residence"
SYNONYMS = tuple(
    (frozenset(words.split()), frozenset((*words.split(), *others.split())))
    for words, others in (
        ("buy purchase order acquire procure", ""), ("sell supply provide deliver", ""), ("employ hire work", ""),
        ("lead manage head run supervise", ""), ("make produce manufacture build", ""), ("own possess hold", ""),
        ("begin start", ""), ("end finish stop", ""), ("earn pay", "salary wage income pay"), ("treat care", ""),
        ("live reside dwell locate base situate headquarter come lie", _PLACES), ("cost", "price"), ("weigh", "weight"),
        ("speak write know", "language tongue"), ("know master", "skill expertise competence technology tool"),
        ("specialise specialize practise practice", "specialty speciality field discipline area expertise practice"),
        ("study", "subject major discipline programme program"), ("charge bill", "rate fee price tariff"),
        ("serve act work", "role position job title occupation profession"), ("make", "material"),
        ("paint", "color colour"), ("last take", "duration length minutes hours days"),
    )
)  # fmt: skip
"""Lemmas that questions use for one another, and for what schemas call something; general English."""
GENERIC = frozenset(
    """people person persons someone somebody anyone everyone thing things one ones entity entities entry entries record
    records node nodes database graph dataset data currently now still already actually altogether dollar dollars euro
    euros pound pounds usd eur name names list lists exist
    exists existing""".split()
)
"""Words that say of anything what goes without saying."""
TOTALS = {word: one.name for one in of_family("values") for word in one.words}
"""What is asked for of all values together."""
EACH = TOTALS | {word: one.name for one in of_family("values") for word in one.adjectives}
"""What of several numbers is meant."""
COUNTS = frozenset(REDUCTIONS["count"].words)
AMOUNTS = frozenset((*COUNTS, *EACH))
"""What measures are called that are counted or summed up."""
RELATIVE = frozenset("that who which whose with where having".split())
CONTAINS = frozenset("contain contains containing include includes including mention mentions mentioning".split())
STARTS = frozenset("start starts starting begin begins beginning".split())
CORRELATED = frozenset("they them themselves himself herself itself together".split())
"""Words that speak of the same one again."""
BEYOND = frozenset(
    """same percentage percent ratio divisible multiple path paths degrees consecutive
    respectively ending ends twice half versus neither nor nobody nothing none percent last second third
    compared""".split()
)
"""Words of what no plan can express yet."""


def dimensions_of(adjective: str) -> tuple[tuple[Direction, str], ...]:
    """What a superlative compares, and which way: "cheapest", "most expensive", "least recent"."""
    degree, _, word = adjective.rpartition(" ")
    known = DIMENSIONS.get(word, (("max", word),))
    opposite: dict[Direction, Direction] = {"max": "min", "min": "max"}
    return tuple((opposite[way], measure) for way, measure in known) if degree == "least" else known
