"""Days and months as people write them."""

from __future__ import annotations

import pytest

from kgqa_graphdb.language.english_days import with_days


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("on 15 August 2017", "on 2017-08-15"),
        ("on the 3rd of May 2020", "on 2020-05-03"),
        ("on August 15th, 2017", "on 2017-08-15"),
        ("on Sept. 2 2017", "on 2017-09-02"),
        ("on 2017/8/15", "on 2017-08-15"),
        ("on 15.08.2017", "on 2017-08-15"),
        ("before 2017-08-15", "before 2017-08-15"),
        ("in February 2016", "between 2016-02-01 and 2016-02-29"),
        ("of the month of March 2018", "between 2018-03-01 and 2018-03-31"),
        ("before August 2017", "before 2017-08-01"),
        ("after August 2017", "after 2017-08-31"),
        ("since August 2017", "since 2017-08-01"),
        ("until August 2017", "on or before 2017-08-31"),
        ("between March 2018 and June 2018", "between 2018-03-01 and 2018-06-30"),
        ("from 1 March 2018 to 3 June 2018", "from 2018-03-01 to 2018-06-03"),
    ],
)
def test_they_become_days_as_iso_writes_them(written: str, iso: str) -> None:
    assert with_days(written) == iso


@pytest.mark.parametrize("text", ["31 February 2017", "32.13.2017", "08/15/2017", "in 2017", "May and June"])
def test_what_is_no_day_stays(text: str) -> None:
    assert with_days(text) == text
