#!/usr/bin/env python3
"""Checks the proof of one forecast offline: verify.py FILE --log VKEY --start INSTANT [--witness VKEY]...
    [--token FILE.tsr]... [--tsa-cert PEM]... [--quorum N] [--json]

Exit codes: 0 proven, 1 not proven, 2 bad input, 3 logged but not by the quorum before START. Each --witness and each --tsa-cert
is a voice; the quorum is all of them, or N. START is when the game began, by your own knowledge. Needs Python 3.8 and nothing
else, but for timestamps OpenSSL 1.1.1 or later. Witnesses with keys of ML-DSA-44 are not heard: sportsctl hears them.
"""
import argparse, base64, hashlib, json, os, re, subprocess, sys, time as clock
from calendar import timegm
from datetime import datetime, timezone

TOKEN_LIMIT, LIMIT, PATH_LIMIT, OTHER_LINES, LARGEST, YEAR_1900, YEAR_2201 = 256 << 10, 1 << 20, 64, 16, (1 << 63) - 1, -2208988800, 7289654400
NUMBER, NAME = "(?:0|[1-9][0-9]{0,18})", "[^\\x00- +\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ud800-\udfff]+"
ENTRY = re.compile(
    r"sports-record/v1 forecast\n([a-z0-9_]+) ([a-z0-9_]+) (\d{4}(?:-\d\d)?) [1-9]\d*\n(\d{4}-\d\d-\d\d) "
    r"(-|\d\d:\d\d:\d\d) ([a-z0-9_]+) ([a-z0-9_]+)(?: #([1-9]\d*))?\nsha256:([0-9a-f]{64})\n", re.ASCII)
SPACE, STRING = r"[ \t\n\r]*", r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
FIELD = f"{SPACE}({STRING}){SPACE}:{SPACE}({STRING}){SPACE}"
OPENING = re.compile(f"{SPACE}\\{{{FIELD},{FIELD},{FIELD}\\}}{SPACE}")
INSTANT = re.compile(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:[0-5]\d)", re.ASCII)

class Refused(Exception): pass  # an exit code and a sentence
def require(holds, sentence, code=1):
    if not holds: raise Refused(code, sentence)
def decoded(text):
    """Decodes standard base64 with padding in its canonical form; None for anything else."""
    data = base64.b64decode(text) if re.fullmatch("[A-Za-z0-9+/]*={0,2}", text) and len(text) % 4 == 0 else b""
    return data if base64.b64encode(data).decode() == text else None
def sha(*parts): return hashlib.sha256(b"".join(parts)).digest()

# Ed25519 by RFC 8032, with points in extended coordinates.
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
def added(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P
def times(number, point):
    total = (0, 1, 1, 0)
    while number:
        total = added(total, point) if number & 1 else total
        point, number = added(point, point), number >> 1
    return total
def decoded_point(data):
    """Decodes a point; None if no point is encoded so."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x * pow(2, (P - 1) // 4, P) % P if (x * x - square) % P else x
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    return (x, y, 1, x * y % P) if x & 1 == sign else (P - x, y, 1, (P - x) * y % P)
BASE = decoded_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
def verifies(key, message, signature):
    a, s = decoded_point(key), int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or a is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    x, y, z, _ = added(times(s, BASE), times(k, (P - a[0], a[1], 1, P - a[3])))
    x, y = x * pow(z, P - 2, P) % P, y * pow(z, P - 2, P) % P
    return (y | (x & 1) << 255).to_bytes(32, "little") == signature[:32]

def read_key(text, kind):
    """Returns name, id and key of a vkey of type 1 (a log) or 4 (a witness); without its key one of type 6 (ML-DSA-44)."""
    name, _, rest = text.partition("+")
    stated, _, key = rest.partition("+")
    key = decoded(key)
    require(re.fullmatch(NAME, name) and key, "a vkey is NAME+ID+KEY, with a key in base64", 2)
    id = sha(name.encode(), b"\n", key)[:4]
    require(stated == id.hex(), f"the id of {name} does not match its key", 2)
    if kind == 4 and key[0] == 6 and len(key) == 1313:
        return name, id, None
    require(len(key) == 33 and key[0] == kind, f"the key of {name} is not one of Ed25519 of type {kind}", 2)
    y, point = int.from_bytes(key[1:], "little") & ((1 << 255) - 1), decoded_point(key[1:])
    is_weak = y >= P or y in (1, P - 1) or (point and times(8, point)[0] == 0)
    require(not is_weak, f"the key of {name} is not one that can be trusted", 2)
    return name, id, key[1:]

def read_start(text):
    """Returns an instant in seconds since 1970, rounded down."""
    match = INSTANT.fullmatch(text)
    try:
        start = int(datetime.fromisoformat(match[1] + "T" + match[2] + match[3].upper().replace("Z", "+00:00")).timestamp())
    except (TypeError, ValueError): start = YEAR_2201  # not an instant
    form = "START is not an RFC 3339 instant with an offset, such as 2024-01-06T21:30:00Z, in the years 1900 to 2200"
    require(YEAR_1900 <= start < YEAR_2201, form, 2)
    return start
def written(seconds): return f"{datetime.fromtimestamp(seconds, timezone.utc):%Y-%m-%dT%H:%M:%SZ}"

def check_opening(extra):
    """Returns the bytes of the leaf, and the payload."""
    form = "`extra` is not the base64 of an object of exactly the three strings `entry`, `salt` and `payload`"
    text = (decoded(extra) or b"").decode(errors="replace")
    match = OPENING.fullmatch(text) if text.encode() == decoded(extra) else None
    strings = [json.loads(string) for string in match.groups()] if match else []
    fields = dict(zip(strings[::2], strings[1::2]))
    require(fields.keys() == {"entry", "salt", "payload"} and not re.search("[\ud800-\udfff]", "".join(strings)), form)
    entry, salt, payload = (fields[name] for name in ("entry", "salt", "payload"))
    require(re.fullmatch("[0-9a-f]{64}", salt), form)
    match = ENTRY.fullmatch(entry)
    require(match and len(entry) <= 65535, "the entry is not the leaf of a forecast")
    sport, market, season, date, time, away, home, number, commitment = match.groups()
    commits = sha(b"sports-forecast/v1\n", bytes.fromhex(salt), payload.encode()).hex() == commitment
    require(commits, "salt and payload do not give the commitment of the leaf")
    time, number = "null" if time == "-" else f'"{time}"', f',"game_number":{number}' if number else ""
    start = f'{{"form":"sports-forecast/v1","sport":"{sport}","model_type":"{market}","season":"{season}",'
    start += f'"date":"{date}","time_est":{time},"away_team":"{away}","home_team":"{home}"{number},"release_id":"'
    require(payload.startswith(start), "the payload is not one of the game and the market of the leaf")
    require(not re.search("[\x00-\x1f\x80-\x9f]", payload), "the payload has a control character")
    return entry.encode(), payload

def check_signatures(text, lines, log, witnesses):
    """Returns time and place of each known witness that cosigned, among the lines that are read and with a time."""
    signed, others, cosigned = False, 0, []
    for line in lines:
        match = re.fullmatch(f"\u2014 ({NAME}) ([^ ]+)", line)
        name, data = (match[1], decoded(match[2]) or b"") if match else ("", b"")
        if (name, data[:4]) == log[:2] and len(data) > 4:
            require(not signed, f"the checkpoint has two signatures of {name}")
            require(verifies(log[2], text, data[4:]), f"the signature of {name} does not hold")
            signed = True
        elif others < OTHER_LINES:
            others += 1
            require(len(data) > 4, "a line of a signature is malformed")
            time = int.from_bytes(data[4:12], "big")
            for place, key in [(at, one[2]) for at, one in enumerate(witnesses) if one[:2] == (name, data[:4]) and one[2]][:1]:
                message = b"cosignature/v1\ntime %d\n" % time + text
                holds = len(data) == 76 and time <= LARGEST and verifies(key, message, data[12:])
                require(holds, f"the signature of {name} does not hold")
                cosigned += [(time, place)] if time else []
    require(signed, f"the checkpoint is not signed by {log[0]}")
    return cosigned

def check_path(leaf, index, size, path, root):
    """Follows the path from the leaf to the root, by RFC 9162, 2.1.3.2."""
    require(index < size, f"the tree of {size} leaves has no leaf {index}")
    node, last, found = index, size - 1, sha(b"\0", leaf)
    for sibling in path:
        require(last > 0, "the path has another length than that of the leaf")
        is_right = node & 1 or node == last
        while is_right and node and not node & 1:
            node, last = node >> 1, last >> 1
        found = sha(b"\1", sibling, found) if is_right else sha(b"\1", found, sibling)
        node, last = node >> 1, last >> 1
    require(last == 0, "the path has another length than that of the leaf")
    require(found == root, "the path leads from the leaf to another root than the checkpoint's")

def openssl(*arguments):
    """Runs openssl, and returns whether it succeeded and what it printed."""
    try: done = subprocess.run(["openssl", *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    except FileNotFoundError:
        raise Refused(2, "timestamps need OpenSSL 1.1.1 or later: install the package openssl, or use `sportsctl record check`")
    return done.returncode == 0, (done.stdout + done.stderr).decode(errors="replace")

def check_authority(file):
    """Checks that a file has a certificate that can lead to timestamps."""
    is_read, purposes = openssl("x509", "-in", file, "-noout", "-purpose")
    require(is_read, f"{file} cannot be used: it has no certificate: expected one or more in PEM", 2)
    is_for_stamps = re.search("Time Stamp signing(?: CA)? : Yes", purposes)
    require(is_for_stamps, f"{file} cannot be used: it is for something else than timestamps: name the authority's root", 2)

def read_token(file, checkpoint):
    """Returns the second of a token, the second by which the checkpoint was there, and the digest of the checkpoint."""
    with open(file, "rb") as opened: length = len(opened.read(TOKEN_LIMIT + 1))
    require(length <= TOKEN_LIMIT, f"--token {file}: it has more than 256 KiB, and a timestamp has less than 10", 2)
    is_read, text = openssl("ts", "-reply", "-in", file, "-text")
    time = re.search(r"Time stamp: (\w+ +\d+ \d\d:\d\d:\d\d)(\.\d+)?( \d{4}) GMT", text)
    algorithm, accuracy = re.search("Hash Algorithm: (sha256|sha384|sha512)", text), re.search("Accuracy: (.*)", text)
    is_token = is_read and "Status: Granted" in text and time and algorithm
    require(is_token, f"--token {file}: it is not the reply of a timestamp authority (RFC 3161, a .tsr file)", 2)
    imprint = re.findall("^    [0-9a-f]{4} - ((?:[0-9a-f]{2}[ -])+)", text, re.M)
    digest = hashlib.new(algorithm[1], checkpoint).hexdigest()
    is_own = re.sub("[ -]", "", "".join(imprint)) == digest
    require(is_own, f"--token {file}: it is a timestamp of another checkpoint: name one of those of this proof", 2)
    second = timegm(clock.strptime(time[1] + time[3], "%b %d %H:%M:%S %Y"))
    parts = {unit: int(part, 16) for part, unit in re.findall("0x([0-9A-Fa-f]+) (seconds|millis|micros)", accuracy[1] if accuracy else "")}
    micros = parts.get("seconds", 0) * 10**6 + parts.get("millis", 0) * 1000 + parts.get("micros", 0)
    micros += -(-int((time[2] or ".0")[1:].ljust(9, "0")[:9]) // 1000)
    return second, second - (-micros // 10**6), digest

def hear_tokens(files, authorities, checkpoint):
    """Returns time and place of the first authority that each token is of, and a sentence for each that is of none."""
    stamped, foreign = [], []
    for file in files:
        (second, latest, digest), reasons = read_token(file, checkpoint), []
        for place, authority in enumerate(authorities):
            words = ["-in", file, "-digest", digest, "-CAfile", authority, "-partial_chain", "-attime", str(second)]
            holds, printed = openssl("ts", "-verify", *words)
            if holds:
                stamped.append((latest, place))
                break
            found = re.findall("(?:Verify error:|:reason=|:ts [^:]*:)([^:\n]+)", printed)
            reasons.append(f"{authority}: {found[-1] if found else 'openssl does not verify it'}")
        else: foreign.append(f"{file}: {'; '.join(reasons)}")
    return stamped, foreign

def check(data, log, witnesses):
    """Returns the payload, the cosignatures and the three lines of the checkpoint of a proof that holds."""
    require(len(data) <= LIMIT, "the proof is longer than 1 MiB")
    lines = data.decode(errors="replace").split("\n")
    require("\n".join(lines).encode() == data, "the proof is not UTF-8 text")
    require(lines[0] == "c2sp.org/tlog-proof@v1", "the file does not begin with c2sp.org/tlog-proof@v1")
    require("" in lines[3:-1], "the blank line before the checkpoint is missing")
    blank = lines.index("", 3)
    require(lines[1].startswith("extra "), "the second line is not `extra` and base64")
    leaf, payload = check_opening(lines[1][6:])
    is_index = re.fullmatch(f"index {NUMBER}", lines[2]) and int(lines[2][6:]) <= LARGEST
    require(is_index, "the third line is not `index` and a number")
    require(blank - 3 <= PATH_LIMIT, "the path has more than 64 lines")
    path = [decoded(line) or b"" for line in lines[3:blank]]
    require(all(len(sibling) == 32 for sibling in path), "a line of the path is not a hash in base64")
    note, form = lines[blank + 1 :], "the signed checkpoint is not three lines, a blank line and lines of signatures"
    require(not re.search(r"[\x00-\x09\x0b-\x1f\x80-\x9f]", "".join(note)), form)
    require(len(note) > 5 and note[3] == note[-1] == "" and all(note[:3] + note[4:-1]), form)
    index, root = int(lines[2][6:]), decoded(note[2]) or b""
    is_size = re.fullmatch(NUMBER, note[1]) and int(note[1]) <= LARGEST
    require(re.fullmatch(NAME, note[0]) and is_size and len(root) == 32, form)
    require(note[0] == log[0], f"the checkpoint is one of {note[0]}, not of {log[0]}")
    checkpoint = "\n".join([*note[:3], ""]).encode()
    cosigned = check_signatures(checkpoint, note[4:-1], log, witnesses)
    check_path(leaf, index, int(note[1]), path, root)
    return payload, cosigned, checkpoint

def run(arguments):
    """Returns the exit code, a sentence, notes and the payload."""
    require(len(arguments.log) == len(arguments.start) == 1, "--log and --start are given once", 2)
    log, start = read_key(arguments.log[0], 1), read_start(arguments.start[0])
    witnesses, authorities = [read_key(text, 4) for text in arguments.witness], arguments.tsa_cert
    keys = [text.partition("+")[2].partition("+")[2] for text in arguments.witness] + authorities
    require(len(set(keys)) == len(keys), "a --witness or --tsa-cert is named twice: one is one voice", 2)
    needed = max(len(keys), 1) if arguments.quorum is None else arguments.quorum
    require(needed > 0, "--quorum 0 would prove anything: name 1 or more", 2)
    most = f"--quorum {needed} is above the {len(keys)} that are named: name more with --witness or --tsa-cert, or a smaller number"
    require(needed <= max(len(keys), arguments.quorum is None), most, 2)
    require(authorities or not arguments.token, "--token needs the certificate of its authority: name it with --tsa-cert", 2)
    for file in authorities: check_authority(file)
    payload, heard, checkpoint = check(open(arguments.file, "rb").read(LIMIT + 1), log, witnesses)
    stamped, foreign = hear_tokens(arguments.token, authorities, checkpoint)
    heard += [(time, len(witnesses) + place) for time, place in stamped]
    first = sorted((min(time for time, voice in heard if voice == place), place) for place in {voice for _, voice in heard})
    is_witness, names = (lambda place: place < len(witnesses)), [*(witness[0] for witness in witnesses), *authorities]
    says = lambda place: f"{names[place]} {'received the checkpoint at' if is_witness(place) else 'stamped the checkpoint by'}"
    before = [(time, place) for time, place in first if time < start]
    sayings = ", ".join(f"{says(place)} {written(time)}" for time, place in before) + f", before {written(start)}"
    notes = [f"not heard: {one[0]} has a key of ML-DSA-44, which sportsctl verifies" for one in witnesses if one[2] is None]
    notes += [f"not counted: {reason}" for reason in foreign]
    if len(before) >= needed:
        late = [f"contradiction: {says(place)} {written(time)}, not before the start" for time, place in first if time >= start]
        return 0, sayings, late + notes, payload
    none = f"no known witness received the checkpoint before {written(start)}"
    return 3, f"{len(before)} of {len(keys)} are no quorum: {sayings}" if before else none, notes, payload

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter, allow_abbrev=False)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--log", action="append", required=True, metavar="VKEY")
    parser.add_argument("--start", action="append", required=True, metavar="INSTANT")
    parser.add_argument("--witness", action="append", default=[], metavar="VKEY")
    parser.add_argument("--token", action="append", default=[], metavar="FILE")
    parser.add_argument("--tsa-cert", action="append", default=[], metavar="PEM")
    parser.add_argument("--quorum", type=int, metavar="N")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    notes, payload = [], None
    try: code, sentence, notes, payload = run(arguments)
    except Refused as error: code, sentence = error.args
    except OSError as error: code, sentence = 2, f"a file is unreadable: {error}"
    verdict = ["proven", "not_proven", "bad_input", "logged"][code]
    report = dict(code=code, verdict=verdict, sentence=sentence, notes=notes, payload=payload)
    text = json.dumps(report) if arguments.json else "\n".join([f"{verdict}: {sentence}", *notes, *filter(None, [payload])])
    try: print(text.encode(sys.stdout.encoding or "utf-8", "backslashreplace").decode(sys.stdout.encoding or "utf-8"), flush=True)
    except BrokenPipeError: os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(code)

main()
