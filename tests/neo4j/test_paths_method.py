"""The default method, and composed questions alone, do what every method must do."""

from __future__ import annotations

from tests.neo4j.method_case import MethodTestCase


class TestPaths(MethodTestCase):
    method = "paths"
    answers = {
        "Who discovered Titan?": {"Christiaan Huygens"},
        "Which moons of Saturn were discovered by William Herschel?": {"Enceladus", "Mimas"},
        "How wide is Titan?": {"5150 km"},
        "How many moons of Mars are there?": {"2"},
    }
    shop_answers = {
        "Who is the supplier of Green Tea?": {"Leaf and Sons"},
        "Which products are supplied by Kiln Works?": {"Blue Mug", "Glass Jar"},
        "What is the price of the Blue Mug?": {"9.0"},
        "Which products are in the orders placed by Ada Lovell?": {"Green Tea", "Blue Mug"},
    }


class TestComposed(MethodTestCase):
    method = "composed"
    answers = {
        "How many moons of Mars are there?": {"2"},
        "Which moons of Saturn were not discovered by William Herschel?": {
            "Dione",
            "Hyperion",
            "Iapetus",
            "Rhea",
            "Tethys",
            "Titan",
        },
    }
    shop_answers = {
        "Which shop product has the highest price?": {"Blue Mug"},
        "How many products are supplied by Kiln Works?": {"2"},
    }
    unanswerable = ("What is the meaning of life?", "Who discovered Titan?")
