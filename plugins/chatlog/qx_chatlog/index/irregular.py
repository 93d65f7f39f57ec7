"""English words whose forms no stemmer brings together: went and go, children and child."""

from __future__ import annotations

from typing import Final

_FORMS = """
become became · begin began begun · bend bent · bite bit bitten · blow blew blown · break broke broken · bring brought · build built
buy bought · catch caught · choose chose chosen · come came · deal dealt · dig dug · do did done · draw drew drawn · dream dreamt
drink drank drunk · drive drove driven · eat ate eaten · fall fell fallen · feed fed · feel felt · fight fought · find found
fly flew flown · forget forgot forgotten · forgive forgave forgiven · freeze froze frozen · get got gotten · give gave given
go went gone · grow grew grown · hang hung · hear heard · hide hid hidden · hold held · keep kept · know knew known · lead led
learn learnt · leave left · lend lent · light lit · lose lost · make made · mean meant · meet met · pay paid · ride rode ridden
ring rang rung · rise rose risen · run ran · say said · see saw seen · seek sought · sell sold · send sent · shake shook shaken
shine shone · shoot shot · show shown · sing sang sung · sink sank sunk · sit sat · sleep slept · speak spoke spoken · spend spent
stand stood · steal stole stolen · stick stuck · strike struck · swim swam swum · take took taken · teach taught · tear tore torn
tell told · think thought · throw threw thrown · understand understood · wake woke woken · wear wore worn · win won
write wrote written · child children · person people · man men · woman women · life lives · wife wives · knife knives
mouse mice · foot feet · tooth teeth · goose geese · half halves · shelf shelves
"""

BASE: Final = {form: base for row in _FORMS.replace("\n", "·").split("·") if row.split() for base, *forms in [row.split()] for form in forms}  # fmt: skip
"""The base form of each form that has another stem."""
