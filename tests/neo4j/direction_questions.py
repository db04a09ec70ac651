"""A graph whose relations lead from a kind to the same kind, and questions to it with those of the other direction."""

from __future__ import annotations

FACTS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "MENTORS": ("Person", (("Ada Quill", "Bo Lind"), ("Bo Lind", "Cy Ott"), ("Bo Lind", "Dee Park"))),
    "TRAINED_BY": ("Person", (("Cy Ott", "Ada Quill"), ("Dee Park", "Bo Lind"))),
    "MARRIED_TO": ("Person", (("Ada Quill", "Eli Quill"),)),
    "SIBLING_OF": ("Person", (("Bo Lind", "Fay Lind"),)),
    "ACQUIRED": ("Company", (("Nord Holding", "Peak Foods"), ("Peak Foods", "Dell Dairy"))),
    "OWNED_BY": ("Company", (("Dell Dairy", "Peak Foods"), ("Peak Foods", "Nord Holding"))),
    "SUPPLIES": ("Company", (("Rill Mills", "Peak Foods"), ("Peak Foods", "Stern Shops"))),
    "BLOCKS": ("Ticket", (("Login Crash", "Beta Release"), ("Beta Release", "Press Tour"))),
    "REPLACED_BY": ("Ticket", (("Old Plan", "Beta Release"),)),
    "PART_OF": ("Component", (("Rotor", "Engine"), ("Engine", "Drone"))),
    "CALLS": ("Service", (("checkout", "ledger"), ("ledger", "mailer"))),
    "BORDERS": ("Region", (("Alba", "Corin"), ("Corin", "Dorn"))),
    "ESCALATES_TO": ("Desk", (("North Desk", "Main Desk"), ("Main Desk", "Head Desk"))),
    "ENDORSES": ("Senator", (("Iva Rusk", "Jon Pell"), ("Jon Pell", "Kay Dorn"))),
    "SUCCEEDED_BY": ("Senator", (("Iva Rusk", "Kay Dorn"),)),
    "CHILD_OF": ("Senator", (("Kay Dorn", "Iva Rusk"),)),
    "DEFEATED": ("Club", (("Red Kites", "Blue Owls"), ("Blue Owls", "Gray Elks"))),
    "BEAT": ("Crew", (("Oak Crew", "Ash Crew"), ("Ash Crew", "Elm Crew"))),
    "HIT": ("Crew", (("Elm Crew", "Oak Crew"),)),
    "FEEDS": ("Machine", (("Kiln", "Press"), ("Press", "Packer"))),
    "CONTAINS": ("Folder", (("Root Box", "Tax Box"), ("Tax Box", "Bill Box"))),
    "FORWARDED_TO": ("Letter", (("Grey Letter", "Pink Letter"),)),
    "LEADS": ("Unit", (("Core Unit", "Side Unit"), ("Side Unit", "Tail Unit"))),
}
"""Relationship type → the label at both of its ends, and the names of its heads and tails."""

PAIRS = """
Who mentors Cy Ott? => Bo Lind
Who does Cy Ott mentor? => NONE
Who mentors Ada Quill? => NONE
Who does Ada Quill mentor? => Bo Lind
Who is the mentor of Bo Lind? => Ada Quill
Who is Bo Lind the mentor of? => Cy Ott ; Dee Park
Who are the mentees of Bo Lind? => Cy Ott ; Dee Park
Who is Bo Lind a mentee of? => Ada Quill
How many people does Bo Lind mentor? => 2
How many people mentor Bo Lind? => 1
Does Ada Quill mentor Bo Lind? => yes
Does Bo Lind mentor Ada Quill? => no
Who was Cy Ott trained by? => Ada Quill
Who was trained by Cy Ott? => NONE
Who did Ada Quill train? => Cy Ott
Who trained Ada Quill? => NONE
Was Dee Park trained by Bo Lind? => yes
Was Bo Lind trained by Dee Park? => no
Did Bo Lind train Dee Park? => yes
Did Dee Park train Bo Lind? => no
Who is Bo Lind's mentor? => Ada Quill
Whose mentor is Bo Lind? => Cy Ott ; Dee Park
Who is Ada Quill married to? => Eli Quill
Who is Eli Quill married to? => Ada Quill
Is Eli Quill married to Ada Quill? => yes
Is Ada Quill married to Eli Quill? => yes
Who is a sibling of Fay Lind? => Bo Lind
Who is a sibling of Bo Lind? => Fay Lind
Which company acquired Dell Dairy? => Peak Foods
Which company did Dell Dairy acquire? => NONE
Which companies did Nord Holding acquire? => Peak Foods
Which companies acquired Nord Holding? => NONE
Was Peak Foods acquired by Nord Holding? => yes
Was Nord Holding acquired by Peak Foods? => no
Who owns Dell Dairy? => Peak Foods
What does Dell Dairy own? => NONE
Who owns Nord Holding? => NONE
What does Nord Holding own? => Peak Foods
Which company is the owner of Peak Foods? => Nord Holding
Which company is Peak Foods the owner of? => Dell Dairy
Which companies are owned by Peak Foods? => Dell Dairy
Which company is Peak Foods owned by? => Nord Holding
Who supplies Peak Foods? => Rill Mills
Whom does Peak Foods supply? => Stern Shops
Who supplies Rill Mills? => NONE
Whom does Rill Mills supply? => Peak Foods
Who is the supplier of Stern Shops? => Peak Foods
Who is Stern Shops the supplier of? => NONE
How many companies supply Rill Mills? => 0
How many companies does Rill Mills supply? => 1
Which tickets block Press Tour? => Beta Release
Which tickets does Press Tour block? => NONE
What blocks Login Crash? => NONE
What does Login Crash block? => Beta Release
What is Beta Release blocked by? => Login Crash
What is blocked by Beta Release? => Press Tour
What was Old Plan replaced by? => Beta Release
What was replaced by Old Plan? => NONE
Which ticket replaced Old Plan? => Beta Release
Which ticket did Old Plan replace? => NONE
Did Beta Release replace Old Plan? => yes
Did Old Plan replace Beta Release? => no
What is Engine part of? => Drone
What are the parts of Engine? => Rotor
What is a part of Rotor? => NONE
What is Rotor a part of? => Engine
Is Rotor part of Engine? => yes
Is Engine part of Rotor? => no
Which services call mailer? => ledger
Which services does mailer call? => NONE
What calls checkout? => NONE
What does checkout call? => ledger
Does ledger call mailer? => yes
Does mailer call ledger? => no
Which regions border Corin? => Alba ; Dorn
Which regions does Corin border? => Alba ; Dorn
Does Dorn border Corin? => yes
Does Corin border Dorn? => yes
Which desk does North Desk escalate to? => Main Desk
Which desk escalates to North Desk? => NONE
Which desks escalate to Head Desk? => Main Desk
Which desk does Head Desk escalate to? => NONE
Does Main Desk escalate to Head Desk? => yes
Does Head Desk escalate to Main Desk? => no
How many tickets are blocked by Login Crash? => 1
How many tickets is Login Crash blocked by? => 0
Who has Bo Lind as a mentor? => Cy Ott ; Dee Park
Who does Bo Lind have as a mentor? => Ada Quill
Who endorses Jon Pell? => Iva Rusk
Who does Jon Pell endorse? => Kay Dorn
Is Jon Pell endorsed by Iva Rusk? => yes
Is Iva Rusk endorsed by Jon Pell? => no
How many senators endorse Iva Rusk? => 0
How many senators does Iva Rusk endorse? => 1
Who is the successor of Iva Rusk? => Kay Dorn
Who is the predecessor of Iva Rusk? => NONE
Who succeeded Iva Rusk? => Kay Dorn
Who did Iva Rusk succeed? => NONE
Who did Kay Dorn succeed? => Iva Rusk
Who succeeded Kay Dorn? => NONE
Who are the children of Iva Rusk? => Kay Dorn
Who are the parents of Iva Rusk? => NONE
Whose child is Kay Dorn? => Iva Rusk
Whose parent is Kay Dorn? => NONE
Is Kay Dorn a child of Iva Rusk? => yes
Is Iva Rusk a child of Kay Dorn? => no
Which club did the Red Kites defeat? => Blue Owls
Which club defeated the Red Kites? => NONE
Who defeated the Gray Elks? => Blue Owls
Who was defeated by the Gray Elks? => NONE
Did the Blue Owls defeat the Red Kites? => no
Were the Blue Owls defeated by the Red Kites? => yes
Which crew beat Ash Crew? => Oak Crew
Which crew did Ash Crew beat? => Elm Crew
Did Elm Crew beat Ash Crew? => no
Did Ash Crew beat Elm Crew? => yes
Who hit Oak Crew? => Elm Crew
Whom did Oak Crew hit? => NONE
Was Oak Crew hit by Elm Crew? => yes
Was Elm Crew hit by Oak Crew? => no
Which machine feeds the Packer? => Press
Which machine does the Packer feed? => NONE
What is the Press fed by? => Kiln
What is fed by the Press? => Packer
Which folder contains Bill Box? => Tax Box
What does Bill Box contain? => NONE
What is Bill Box part of? => Tax Box
What are the parts of Tax Box? => Bill Box
Which letter was Grey Letter forwarded to? => Pink Letter
Which letter was forwarded to Grey Letter? => NONE
Which letters were forwarded to Pink Letter? => Grey Letter
To which letter was Pink Letter forwarded? => NONE
Which unit leads Tail Unit? => Side Unit
Which unit does Tail Unit lead? => NONE
Is Core Unit the leader of Side Unit? => yes
Is Side Unit the leader of Core Unit? => no
List the units that Core Unit leads. => Side Unit
List the units that lead Core Unit. => NONE
By which unit is Side Unit led? => Core Unit
Which units are led by Side Unit? => Tail Unit
"""
"""Questions, each followed by that of the other direction; NONE: an abstention."""

AMONG = """
Which person mentors the most people? => Bo Lind
Which person is mentored by the most people? => Bo Lind ; Cy Ott ; Dee Park
Which person do the most people mentor? => Bo Lind ; Cy Ott ; Dee Park
Which people mentor more than 1 person? => Bo Lind
Which people mentor no person? => Cy Ott ; Dee Park ; Eli Quill ; Fay Lind
Who mentors more people than Ada Quill? => Bo Lind
Which people have more mentors than Ada Quill? => Bo Lind ; Cy Ott ; Dee Park
Who has as many mentors as Bo Lind? => Cy Ott ; Dee Park
Who has more siblings than Bo Lind? => NONE
Does Ada Quill mentor Bo Lind or Cy Ott? => yes
Does Ada Quill mentor Cy Ott or Dee Park? => no
Does Ada Quill or Bo Lind mentor Cy Ott? => yes
Is Cy Ott mentored by Ada Quill or Bo Lind? => yes
Does Bo Lind mentor Cy Ott and Dee Park? => yes
Does Bo Lind mentor both Cy Ott and Ada Quill? => no
Which people have no mentor? => Ada Quill ; Eli Quill ; Fay Lind
Which person has the most siblings? => Bo Lind ; Fay Lind
Which people have a sibling? => Bo Lind ; Fay Lind
How many people mentor more than 1 person? => 1
How many people does each person mentor? => Ada Quill ; Bo Lind
How many people mentor each person? => Bo Lind ; Cy Ott ; Dee Park
Which company acquired no company? => Dell Dairy ; Rill Mills ; Stern Shops
Which companies were acquired by no company? => Nord Holding ; Rill Mills ; Stern Shops
Which companies are owned by no company? => Nord Holding ; Rill Mills ; Stern Shops
Which tickets block no ticket? => Old Plan ; Press Tour
Which tickets are blocked by no ticket? => Login Crash ; Old Plan
Which services call no service? => mailer
Which services do no services call? => checkout
Which region borders the most regions? => Corin
Which regions border more than 1 region? => Corin
Which desks escalate to no desk? => Head Desk
Which clubs defeated no club? => Gray Elks
Which clubs were defeated by no club? => Red Kites
Which clubs defeated nobody? => Gray Elks
Which clubs were defeated by nobody? => Red Kites
Which crews beat no one? => Elm Crew
Which companies acquired nothing? => Dell Dairy ; Rill Mills ; Stern Shops
Which people mentor nobody? => Cy Ott ; Dee Park ; Eli Quill ; Fay Lind
Which crews beat no crew? => Elm Crew
Which crews were beaten by no crew? => Oak Crew
Which crews hit no crew? => Ash Crew ; Oak Crew
Which folders contain no folder? => Bill Box
Which components are part of no component? => Drone
Which unit leads the most units? => Core Unit ; Side Unit
"""
"""Questions about all of a kind."""

KINDS_NEEDED = frozenset(("What is Bill Box part of?", "What are the parts of Tax Box?"))
"""Questions that abstain where nothing tells that folders are no components, which alone are parts of others."""
