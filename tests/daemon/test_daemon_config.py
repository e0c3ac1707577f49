"""collie.toml: what it may say, and the line that an error names."""

from pathlib import Path

import pytest

from collie.daemon.config import SECTIONS, Config, HostKind, line_of, load
from collie.errors import CollieError


def config_of(folder: Path, text: str) -> Config:
    (folder / "collie.toml").write_text(text)
    return load(folder, {})


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load(tmp_path, {}) == Config(data_dir=tmp_path)


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    config = config_of(
        tmp_path,
        f"""
        [host]
        kind = "herdr"   # not ours
        [herdr]
        session = "farm"
        [control]
        from_panes = true
        [tasks]
        agents = ["claude"]
        roots = ["{tmp_path}", "/"]
        """,
    )
    assert config == Config(
        data_dir=tmp_path,
        host_kind=HostKind.HERDR,
        herdr_session="farm",
        from_panes=True,
        task_agents=("claude",),
        task_roots=(tmp_path.resolve(), Path("/")),
    )


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[hosts]\n", 1, "unknown section [hosts]; known: host, herdr, control, tasks"),
        ('# a\n\n[host]\n# b\n\nkidn = "auto"\n', 6, 'unknown key "kidn" in [host]; known: kind'),
        ('[tasks]\nroots = ["/"]\nroot = [\n  "/",\n]\n', 3, 'unknown key "root" in [tasks]; known: agents, roots'),
        ('host.kidn = "auto"\n', 1, 'unknown key "kidn" in [host]'),
        ('x = """\n[host]\n"""\n', 1, "unknown section [x]"),
        ("\nhost = 1\n", 2, "host must be a section, [host]"),
        ('[host]\nkind = "tmux"\n', 2, "\"kind\" in [host] must be one of 'auto', 'herdr', 'embedded', not 'tmux'"),
        ("[host]\nkind = 1\n", 2, "must be one of"),
        ("[herdr]\nsession = 1\n", 2, '"session" in [herdr] must be text, not 1'),
        ('[herdr]\nsession = "a/b"\n', 2, '"session" in [herdr] is wrong'),
        ("[control]\nfrom_panes = 1\n", 2, '"from_panes" in [control] must be true or false, not 1'),
        ('[control]\nfrom_panes = "yes"\n', 2, "must be true or false, not 'yes'"),
        ('[tasks]\nagents = "claude"\n', 2, '"agents" in [tasks] must be a list of texts'),
        ("[tasks]\nagents = []\n", 2, "must be a list of texts"),
        ('[tasks]\nagents = ["Claude!"]\n', 2, "holds 'Claude!', which is no name of an agent kind"),
        ('[tasks]\nroots = ["here"]\n', 2, "holds 'here', which is not absolute"),
        ('[tasks]\nroots = ["/nowhere/at/all"]\n', 2, "holds '/nowhere/at/all': No such file"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    with pytest.raises(CollieError) as refused:
        config_of(tmp_path, text)
    assert str(refused.value).startswith(f"{tmp_path}/collie.toml:{line}: ")
    assert words in str(refused.value)


@pytest.mark.parametrize("text", ["[host\n", 'kind = "a', "a = 1\na = 2\n", "= 1\n"])
def test_what_is_no_toml_is_named_with_its_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(CollieError, match=rf"^{tmp_path}/collie.toml:\d+: "):
        config_of(tmp_path, text)


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "collie.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(CollieError, match=r"collie.toml: not UTF-8 text"):
        load(tmp_path, {})


def test_a_folder_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "collie.toml").mkdir()
    with pytest.raises(CollieError, match=r"cannot read .*collie.toml: Is a directory"):
        load(tmp_path, {})


def test_the_line_of_a_key_is_where_it_begins() -> None:
    text = "[a]\nb = [\n 1,\n]\n\n# c\nc = 2\n[d.e]\nf = 1\n"
    assert [line_of(text, key) for key in [("a",), ("a", "b"), ("a", "c"), ("d", "e", "f")]] == [1, 2, 7, 9]


def test_every_key_fills_a_field_of_its_own() -> None:
    fields = [key.field for section in SECTIONS.values() for key in section.values()]
    assert len(set(fields)) == len(fields)
    assert set(fields) <= set(Config.__dataclass_fields__)
