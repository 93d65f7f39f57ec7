"""Words in which no slip of the pen is forgiven, since another letter says another thing: numbers, units, negations."""

from __future__ import annotations

from functools import cache


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


CARDINALS = _set(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million "
    "millions billion billions trillion trillions dozen dozens"
)
NUMBERS = CARDINALS | _set(
    "half halves quarter quarters third thirds fourth fifth sixth seventh eighth ninth tenth first second once twice thrice "
    "double triple quadruple single percent"
)
NEGATIONS = _set(
    "no not non nor none never neither nobody nothing nowhere cannot without unless except unable hardly barely scarcely "
    "rarely seldom lack lacks fail fails nay nope minus dont doesnt didnt isnt arent wasnt werent wont wouldnt cant couldnt "
    "shouldnt mustnt mightnt havent hasnt hadnt neednt darent shant aint"
)
BEFORE_VERBS = _set(
    "no not non never without cannot nor neither dont doesnt didnt isnt arent wasnt werent wont wouldnt cant couldnt "
    "shouldnt mustnt mightnt havent hasnt hadnt neednt shant aint"
)
"""Negations that turn what comes right after them."""
AUXILIARIES = _set(
    "do does did is are am was were be been has have had can could will would shall should may might must ought need "
    "dare"
)
"""Words that a ``not`` right after them turns."""
_TURNED_BY_A = _set(
    "typical typically symptomatic moral morally political sexual social theist theistic septic biotic synchronous "
    "synchronously sync symmetric symmetrical symmetry periodic chromatic rhythmic cyclic tonal historical historic "
    "virulent febrile phasic plastic systemic toxic vascular cellular gnostic logical"
)
_PREFIXES = (("un", "en"), ("un", "in"), ("un", "nu"), ("dis", "mis"), ("macro", "micro"))
SHORT_WORDS = _set(
    "a an the and or but nor so if as at by for from in of off on out per to up via with i he she it we you me him her us "
    "my his its our all any few who how why when is are am was were be been do did does has had may can got get let one new old"
)
"""Words after a number that are no units, short as they are."""
_OTHER_UNITS = _set(
    "cal kcal kj joule joules mol mmol mcg ug iu bar psi pa hpa kpa mpa volt volts amp amps ohm ohms knot knots pint pints "
    "gallon gallons quart quarts cup cups acre acres hectare hectares century centuries decade decades micron microns "
    "nanosecond nanoseconds microsecond microseconds bit bits byte bytes kilobyte kilobytes terabit rpm ppm ppb db dbi "
    "kwh mwh lumen lumens dozen cent cents pence penny stone fold percentage points degrees degree night nights "
    "inches yard yards mol molar liter grams centimeter square cubic weeks fortnight quarter quarters"
)


@cache
def units() -> frozenset[str]:
    """Return the words of units, as ``qx.text.units`` knows them and a few more; letters and digits alone."""
    from qx.text.units import CASED, CURRENCIES, UNITS

    measures = [word for word, unit in UNITS.items() if unit.kind != "count"]
    known = {"".join(filter(str.isalnum, word.casefold())) for word in (*measures, *CASED, *CURRENCIES)}
    return frozenset(known - {""}) | _OTHER_UNITS


@cache
def chinese_units() -> tuple[str, ...]:
    """Return the units and magnitudes that stand right after a number in Chinese."""
    found = {word for word in units() if word and word[0] > "\u3000"}
    return tuple(sorted(found | set("万萬亿億千百十兆成折倍度分秒刻时時天日月年岁歲届屆号號层層楼樓")))


def turns(one: str, other: str) -> bool:
    """Whether two words that differ in one letter differ in a prefix that turns the meaning: typical, atypical."""
    return _turned(one, other) or _turned(other, one)


def _turned(word: str, twin: str) -> bool:
    if word[:1] == "a" and word[1:] == twin:
        return twin in _TURNED_BY_A
    return any(word[: len(a)] == a and twin == b + word[len(a) :] for a, b in _PREFIXES)


def are_numbers(one: str, other: str) -> bool:
    """Whether a letter between two words changes a number: any in "ten", in "third" one that makes it another number."""
    return bool({one, other} & CARDINALS) or (one in NUMBERS and other in NUMBERS)
