"""The protections behind docs/reliability.md, each with the tests that must fail where it is taken out.

`make protections` takes them out one by one (`tests/taken_out.py`); `tests/test_protections.py` holds this list to the
code, and to what was seen when each of them was taken out.
"""

from typing import NamedTuple


class Protection(NamedTuple):
    """A piece of code that keeps a promise.

    Args:
        promise: In a few words, as docs/reliability.md has it.
        file: Where the code stands.
        code: It, once in that file.
        without: What stands there when the protection is taken out.
        tests: What must fail then, as pytest takes it.
    """

    promise: str
    file: str
    code: str
    without: str
    tests: str


STORE, VOUCHED = "radmm/base/store.py", "tests/base/test_vouched.py"
DAMAGE, VERIFIED, KILLS = "tests/jobs/test_damage.py", "tests/jobs/test_verify.py", "tests/jobs/test_kills.py"
CURRENCY, CURRENT = "radmm/jobs/currency.py", "tests/jobs/test_currency.py"
VERIFY, SERVERS, FUZZ = "radmm/jobs/verify.py", "tests/data/test_bad_servers.py", "tests/study/test_fuzz.py"
READING, DOWNLOAD = "tests/study/test_reading.py", "radmm/data/download.py"
LEDGER = 'checked(ledgers / f"{setting.id}.parquet", traces / f"{setting.id}.parquet")'
FLIPPED, TUNED = f"{DAMAGE} -k flipped_bit", "tests/jobs/test_tune.py -k damaged"
READERS = f"{DAMAGE} -k reader"
WRITTEN = "no file is used that is not the one that was written"
REMADE = "what fails is named, set aside and made again"
VERIFIES = "verify finds what readers can't"
KILLED = "a kill costs no more than what was being computed"
FETCHED = "a download is right or isn't there"
REFUSED = "a config is used or refused in sentences, before it costs"
TIMELESS, CLOCK = (
    "time decides nothing that content can decide",
    "0 < trace.stat().st_mtime < __import__('time').time()",
)
ARGMIN, DIGITS = "an argmin is one, or a status says why not", "no digit changes by accident"
DISKS, FAULTS = "a disk that is full or read-only is told in a sentence", "tests/jobs/test_faults.py"
TOGETHER = "two at once do no harm"
ARCHIVES, REPORT = "archives are read member by member", "the report shows text as text"
OWN_SOURCES = "tests/jobs/test_batches.py -k made_of_its_own"
MODES = "files have the mode that the umask says, and stay in results/ and data/"


def reader(file: str, code: str, without: str, tests: str = READERS) -> Protection:
    """One that reads without looking first."""
    return Protection(WRITTEN, file, code, without, tests)


PROTECTIONS = [
    Protection(WRITTEN, STORE, 'return "" if found == expected else', 'return "" if found else', VOUCHED),
    Protection(WRITTEN, STORE, "if recorded != _identity(path):", "if not recorded:", VOUCHED),
    Protection(WRITTEN, STORE, "path.absolute().parent.name}/{path.name}", "path.name}", VOUCHED),
    Protection(WRITTEN, STORE, "if record_path(path).is_file() and (reason", "if not path and (reason", VOUCHED),
    Protection(WRITTEN, "radmm/privacy/curves/cache.py", "if not fault(path):", "if path.exists():", VOUCHED),
    reader("radmm/data/files.py", "np.load(checked(rows))", "np.load(rows)"),
    reader("radmm/data/files.py", "read_numbers(checked(path)", "read_numbers(path"),
    reader("radmm/data/files.py", "checked(path).read_text", "path.read_text"),
    reader("radmm/data/holdings.py", "checked(path).read_text", "path.read_text"),
    reader("radmm/data/tables/scan.py", "if not fault(kept):", "if kept.exists():", "tests/data/test_tables.py -k kept"),
    reader("radmm/jobs/calibrations.py", "checked(path).read_text", "path.read_text"),
    reader("radmm/jobs/steps/split.py", "checked(features)", "features", FLIPPED),
    reader("radmm/jobs/steps/frontier.py", "pd.read_parquet(checked(path))", "pd.read_parquet(path)", TUNED),
    reader("radmm/jobs/steps/report.py", "read_metadata(checked(table))", "read_metadata(table)", FLIPPED),
    reader("radmm/jobs/steps/ending.py", "if reason := fault(path):", "if not path:", "tests/jobs/test_progress.py"),
    reader("radmm/results/conditions.py", "checked(ledgers", "(ledgers"),
    reader("radmm/results/tables.py", LEDGER, 'ledgers / f"{setting.id}.parquet"', FLIPPED),
    reader("radmm/results/tables.py", "read_parquet(checked(traces", "read_parquet((traces", FLIPPED),
    reader("radmm/results/claims/evidence.py", "checked(self.path)", "self.path"),
    reader("radmm/results/figures/audit.py", "read_metadata(checked(table))", "read_metadata(table)"),
    reader("radmm/results/figures/figure.py", "read_metadata(checked(table))", "read_metadata(table)"),
    reader("radmm/results/figures/figure.py", "checked(timings)", "timings", FLIPPED),
    reader("radmm/results/report/experiments.py", "Image.open(checked(png))", "Image.open(png)"),
    reader("radmm/results/report/overview.py", "checked(path).read_text", "path.read_text", FLIPPED),
    reader("radmm/results/report/gather.py", "json.loads(checked(path)", "json.loads((path)"),
    reader("radmm/results/report/gather.py", 'checked(results / "settings.parquet")', 'results / "settings.parquet"', FLIPPED),
    reader("radmm/results/report/gather.py", "checked(results / \"traces\"", "(results / \"traces\"", FLIPPED),
    reader("radmm/results/report/gather.py", "pd.read_parquet(checked(path))", "pd.read_parquet(path)"),
    reader("radmm/data/source.py", "if found != expected:", "if not found:", "tests/data/test_adult.py"),
    Protection(REMADE, STORE, "            set_aside(each)", "            pass", f"{VOUCHED} {DAMAGE}"),
    Protection(REMADE, STORE, "for each in (path, *together):", "for each in (path,):", VOUCHED),
    Protection(REMADE, STORE, "record_path(path).unlink(missing_ok=True)", "pass", VOUCHED),
    Protection(REMADE, CURRENCY, "return fault(path) or", "return ('' if path.is_file() else 'is missing') or", DAMAGE),
    Protection(REMADE, CURRENCY, "[trace] if parameters", "[trace] if 1 or parameters", DAMAGE),
    Protection(VERIFIES, VERIFY, "found = {path: fault(path) for", "found = {path: '' for", VERIFIED),
    Protection(VERIFIES, CURRENCY, "and file_hash(source) != expected:", "and not expected:", VERIFIED),
    Protection(VERIFIES, VERIFY, "if not source.is_file():", "if not name:", VERIFIED),
    Protection(WRITTEN, "radmm/jobs/steps/table.py", "    require_current(settings, folder, InputFiles.beside(features, networks))", "", CURRENT),
    Protection(WRITTEN, "radmm/jobs/steps/report.py", "            require_current(its_settings, results / \"traces\", inputs)", "            pass", CURRENT),
    Protection(WRITTEN, "radmm/jobs/steps/figure.py", "    require_sources(checked(table))", "", CURRENT),
    Protection(WRITTEN, CURRENCY, '(stored.get("id"), stored.get("setting")) != (name,', "(name, parameters) != (name,", CURRENT),
    Protection(WRITTEN, CURRENCY, 'stored.get("code") != solver_digest(dict(parameters))', 'not stored["code"]', CURRENT),
    Protection(WRITTEN, CURRENCY, '.get(each) != digest]', '.get(each) == ""]', CURRENT),
    Protection(VERIFIES, VERIFY, "elif not filecmp.cmp(new, old, shallow=False)", "elif not new", VERIFIED),
    Protection(VERIFIES, VERIFY, "source.check_files(raw)", "pass", VERIFIED),
    Protection(VERIFIES, "radmm/jobs/steps/verify.py", "        set_aside(path)", "        pass", VERIFIED),
    Protection(VERIFIES, "radmm/jobs/steps/command.py", "with provenance():", "if True:", VERIFIED),
    Protection(KILLED, STORE, "yield temporary\n        temporary.replace(target)", "yield target", VOUCHED),
    Protection(KILLED, STORE, "        write_record(target, file_hash(temporary),", "    write_record(target, file_hash(target),", VOUCHED),
    Protection(KILLED, "radmm/jobs/steps/batch.py", "return outdated is not None", "return True", KILLS),
    Protection(VERIFIES, "radmm/jobs/steps/batch.py", "with provenance(*sources):", "if True:", OWN_SOURCES),
    Protection(KILLED, "radmm/jobs/steps/batch.py", 'if path.name.split(".")[2] in', 'if path.name in', KILLS),
    Protection(KILLED, STORE, 'for path in Path(folder).rglob(f"{PARTIAL}.*"):', "for path in ():", f"{VOUCHED} {KILLS}"),
    Protection(FETCHED, DOWNLOAD, "if found != expected:", "if not found:", SERVERS),
    Protection(FETCHED, DOWNLOAD, "if max(done, size) > MOST_BYTES:", "if done < 0:", SERVERS),
    Protection(FETCHED, DOWNLOAD, "thread.join(max(0.0, end - time.monotonic()))", "thread.join()", SERVERS),
    Protection(FETCHED, DOWNLOAD, "if size and done < size:", "if False:", SERVERS),
    Protection(FETCHED, DOWNLOAD, "http.client.HTTPException, ValueError) as", "OSError) as", SERVERS),
    Protection(REFUSED, "radmm/study/plain.py", "if len(path) >= DEEPEST:", "if not raw and path:", FUZZ),
    Protection(REFUSED, "radmm/study/plain.py", "if not isinstance(key, str):", "if key == '':", FUZZ),
    Protection(REFUSED, "radmm/study/plain.py", "abs(value) <= LARGEST", "True", FUZZ),
    Protection(REFUSED, "radmm/study/plain.py", '"" if _can_be_written(value) else', '"" if value or 1 else', f"{FUZZ} -k no_file_can"),
    Protection(REFUSED, "radmm/study/expansion.py", "if count > MOST_SETTINGS:", "if count < 0:", f"{READING} -k counted"),
    Protection(REFUSED, "radmm/study/reading.py", "if known[id(node)] > MOST_VALUES:", "if not known:", f"{READING} -k wrong_is_told"),
    Protection(REFUSED, "radmm/data/topology.py", " or edges > MOST_EDGES", "", f"{FUZZ} -k memory"),
    Protection(REFUSED, STORE, "regular, large = stat.S_ISREG(found.st_mode)", "regular, large = True", f"{READING} -k only_files"),
    Protection(REFUSED, "radmm/study/config.py", "name.casefold() in RESERVED", "not name", FUZZ),
    Protection(REFUSED, "radmm/study/config.py", 'if "{" in text or "}" in text:', "if not text:", FUZZ),
    Protection(REFUSED, "radmm/study/validation.py", "if len(text) <= LONGEST_QUOTE else", "if text else", FUZZ),
    Protection(TIMELESS, "radmm/jobs/steps/batch.py", "return outdated is not None", f"return not (outdated is None and {CLOCK})", f"{KILLS} -k clock"),
    Protection(TIMELESS, "workflow/rules/traces.smk", "settle_clock(Path(folder))", "pass", f"{FAULTS} -k clock"),
    Protection(KILLED, "workflow/rules/traces.smk", "sweep(folder)", "pass", f"{FAULTS} -k killed"),
    Protection(DISKS, "workflow/rules/common.smk", "(reason := disk_fault(Path.cwd()))", "(reason := '')", f"{FAULTS} -k ends_in"),
    Protection(DISKS, "workflow/rules/common.smk", "(reason := protected(Path.cwd()))", "(reason := '')", f"{FAULTS} -k protected"),
    Protection(DISKS, "workflow/rules/traces.smk", "except OSError as error:", "except KeyError as error:", f"{FAULTS} -k dry_run"),
    Protection(DISKS, "radmm/jobs/steps/batch.py", "except OSError as error:", "except KeyError as error:", f"{FAULTS} -k stays"),
    Protection(ARGMIN, "radmm/model/facts.py", "TOLERANCE = 1e-8", "TOLERANCE = 1e-4", "tests/argmin/test_extremes.py"),
    Protection(ARGMIN, "radmm/driver.py", "np.all(residual <= tolerance", "np.all(residual < 1e9", "tests/argmin/test_extremes.py"),
    Protection(DIGITS, "radmm/algorithms/recycled.py", "stay = 1.0 - 2.0 * theta", "stay = 1.0 - 2.00000001 * theta", "tests/test_pinned.py"),
    Protection(MODES, STORE, "temporary.touch(exist_ok=False)", "temporary.touch(0o600)", VOUCHED),
    Protection(ARCHIVES, "radmm/data/archives.py", "if not is_file:", "if not name:", "tests/data/test_archives.py"),
    Protection(ARCHIVES, "radmm/data/archives.py", "if size > MOST_BYTES:", "if size < 0:", "tests/data/test_archives.py"),
    Protection(REPORT, "radmm/results/report/page.py", 'text.replace("<", "\\\\u003c")', "text", "tests/results/report/test_report.py -k script"),
    Protection(REFUSED, "radmm/study/public.py", "if runs * (iterations + 1) > MOST_TRACED:", "if runs < 0:", f"{FUZZ} -k fit"),
    Protection(REFUSED, "radmm/study/sections.py", "ge=1, le=MOST_RUNS", "ge=1", f"{FUZZ} -k memory"),
    Protection(REFUSED, "radmm/study/sections.py", "ge=1, le=100_000, description", "ge=1, description", f"{FUZZ} -k memory"),
    Protection(REFUSED, "radmm/study/public.py", "if runs * nodes * entries > MOST_ITERATES:", "if runs < 0:", f"{FUZZ} -k fit"),
    Protection(REFUSED, "radmm/data/sources/synthetic.py", "if self.rows * self.features > MOST_VALUES:", "if self.rows < 0:", f"{FUZZ} -k memory"),
    Protection(REFUSED, "radmm/study/budgets.py", "if longest <= LONGEST_AT_ONCE else None", "", f"{FUZZ} -k many_iterations"),
    Protection(TOGETHER, STORE, ".{token_hex(4)}{target.suffix}", ".x{target.suffix}", f"{FAULTS} -k writers"),
    Protection(REFUSED, "radmm/study/validation.py", "if named or step not in model.model_fields:", "if step not in model.model_fields:", f"{FUZZ} -k name_of_a_field"),
    Protection(REFUSED, "radmm/study/resolution.py", "if (type(loss), spelling) not in _tried:", "if spelling not in {tried for _, tried in _tried}:", "tests/study/test_config.py -k again"),
    Protection(TIMELESS, "radmm/study/resolution.py", "    forget()\n", "", "tests/study/test_own_data.py -k changed"),
    Protection(MODES, "radmm/study/config.py", 'if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):', "if not name:", FUZZ),
]  # fmt: skip
