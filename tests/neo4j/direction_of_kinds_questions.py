"""A graph whose relations lead from a kind to another, and questions to it with those of the other direction."""

from __future__ import annotations

from datetime import date

FACTS: dict[tuple[str, str, str], tuple[tuple[str, str, dict[str, object]], ...]] = {
    ("Jockey", "RIDES", "Horse"): (
        ("Ana Reyes", "Silver Comet", {"since": date(2019, 4, 1)}),
        ("Ana Reyes", "Dusty Road", {"since": date(2021, 6, 15)}),
        ("Piet Maas", "Night Owl", {"since": date(2020, 9, 9)}),
    ),
    ("Vet", "TREATS", "Horse"): (("Omar Haddad", "Silver Comet", {}), ("Lise Roy", "Night Owl", {})),
    ("Trainer", "TRAINED", "Horse"): (
        ("Greta Holm", "Silver Comet", {"from": date(2017, 1, 1)}),
        ("Greta Holm", "Night Owl", {"from": date(2018, 2, 2)}),
    ),
    ("Horse", "OWNED_BY", "Stable"): (
        ("Silver Comet", "Hill Stable", {"since": date(2016, 3, 3)}),
        ("Dusty Road", "Hill Stable", {"since": date(2018, 5, 5)}),
        ("Night Owl", "Lake Stable", {"since": date(2017, 7, 7)}),
    ),
    ("Horse", "RAN_IN", "Race"): (
        ("Silver Comet", "Amber Cup", {"position": 1}),
        ("Night Owl", "Amber Cup", {"position": 4}),
        ("Dusty Road", "Birch Mile", {"position": 2}),
    ),
    ("Brewery", "SPONSORS", "Race"): (
        ("Kettle Brew", "Amber Cup", {"amount": 5000}),
        ("Kettle Brew", "Birch Mile", {"amount": 700}),
    ),
    ("Farm", "BRED", "Horse"): (("Clover Farm", "Silver Comet", {}), ("Clover Farm", "Night Owl", {})),
    ("Stable", "INSURED_BY", "Insurer"): (("Hill Stable", "Safe Harbor", {}), ("Lake Stable", "Oak Mutual", {})),
    ("Horse", "GRAZES_ON", "Meadow"): (("Dusty Road", "Long Meadow", {}), ("Night Owl", "Long Meadow", {})),
    ("Jockey", "MENTORS", "Jockey"): (("Ana Reyes", "Piet Maas", {"since": date(2022, 8, 8)}),),
    ("Trainer", "COACHES", "Jockey"): (("Greta Holm", "Ana Reyes", {}), ("Rolf Winter", "Piet Maas", {})),
    ("Trainer", "ADMIRES", "Trainer"): (("Rolf Winter", "Greta Holm", {}),),
}
"""Kind of the head, relationship type, kind of the tail → names of heads and tails, and properties of each fact."""

OPEN = """
Who rides Silver Comet? => Ana Reyes
Who does Silver Comet ride? => NONE
Which horses does Ana Reyes ride? => Dusty Road ; Silver Comet
Which horses ride Ana Reyes? => NONE
Does Piet Maas ride Night Owl? => yes
Does Night Owl ride Piet Maas? => no
Is Night Owl ridden by Piet Maas? => yes
Is Piet Maas ridden by Night Owl? => no
How many horses does Ana Reyes ride? => 2
Who treats Silver Comet? => Omar Haddad
Who does Silver Comet treat? => NONE
Was Night Owl treated by Lise Roy? => yes
Was Lise Roy treated by Night Owl? => no
Did Greta Holm train Night Owl? => yes
Did Night Owl train Greta Holm? => no
Which stable owns Night Owl? => Lake Stable
Which stable does Night Owl own? => NONE
Does Hill Stable own Dusty Road? => yes
Does Dusty Road own Hill Stable? => no
Who is the owner of Dusty Road? => Hill Stable
Did Silver Comet run in the Amber Cup? => yes
Did the Amber Cup run in Silver Comet? => no
Which horses ran in the Amber Cup? => Night Owl ; Silver Comet
Does Kettle Brew sponsor Birch Mile? => yes
Does Birch Mile sponsor Kettle Brew? => no
Who is the trainer of Silver Comet? => Greta Holm
Which farm was bred by Night Owl? => NONE
Which farm bred Night Owl? => Clover Farm
Since when does Ana Reyes ride Dusty Road? => 2021-06-15
Since when does Dusty Road ride Ana Reyes? => NONE
Since when does Ana Reyes ride Night Owl? => NONE
Since when does Ana Reyes mentor Piet Maas? => 2022-08-08
Since when does Piet Maas mentor Ana Reyes? => NONE
What position did Night Owl have in the Amber Cup? => 4
What position did Dusty Road have in the Amber Cup? => NONE
Who admires the coach of Ana Reyes? => Rolf Winter
Who does the coach of Ana Reyes admire? => NONE
Who coaches the jockey that rides Night Owl? => Rolf Winter
Who treats the horses owned by Lake Stable? => Lise Roy
Who mentors the jockey coached by Rolf Winter? => Ana Reyes
Who is mentored by the jockey coached by Greta Holm? => Piet Maas
"""
"""Questions, many followed by that of the other direction; NONE: an abstention."""

SHUT = """
Which jockey rides Dusty Road? => Ana Reyes
Which jockey does Dusty Road ride? => NONE
Is Silver Comet treated by Omar Haddad? => yes
Is Omar Haddad treated by Silver Comet? => no
Which insurer insures Hill Stable? => Safe Harbor
Which insurer does Hill Stable insure? => NONE
Is Oak Mutual insured by Lake Stable? => no
Is Lake Stable insured by Oak Mutual? => yes
Does Night Owl graze on Long Meadow? => yes
Does Long Meadow graze on Night Owl? => no
Was Clover Farm bred by Silver Comet? => no
Did Clover Farm breed Silver Comet? => yes
Since when is Night Owl owned by Lake Stable? => 2017-07-07
Since when is Lake Stable owned by Night Owl? => NONE
What amount does Kettle Brew sponsor Birch Mile with? => 700
Since when does Hill Stable own Night Owl? => NONE
Who coaches the mentor of Piet Maas? => Greta Holm
Who mentors the jockey that rides Night Owl? => Ana Reyes
Who admires the trainer of Night Owl? => Rolf Winter
Which insurer insures the owner of Dusty Road? => Safe Harbor
"""
"""Questions that were written with the others and first asked when their reader was done."""

ANSWERED_BY_OTHERS = frozenset(
    ("Since when does Ana Reyes ride Night Owl?", "Since when does Hill Stable own Night Owl?")
)
"""Questions for a date that no fact has, to which a note and who else it is true of may be given."""
