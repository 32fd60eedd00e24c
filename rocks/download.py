"""Downloads one address, understanding the words of wget that luarocks uses."""

import sys
from posixpath import basename
from urllib.parse import urlsplit

import httpx

FAILED, REFUSED = 4, 8  # wget's own exit codes


def main(words: list[str]) -> int:
    """Write what is at the last word to --output-document's file, or to one of its name."""
    url, options = words[-1], dict(word.partition("=")[::2] for word in words[:-1])
    path = basename(urlsplit(url).path)
    if "--output-document" in words:
        path = words[words.index("--output-document") + 1]
    headers = {"user-agent": options.get("--user-agent", "wget")}
    seconds = float(options.get("--timeout", 30))
    try:
        with httpx.stream(
            "GET", url, headers=headers, follow_redirects=True, timeout=seconds
        ) as answer:
            if answer.status_code != 200:
                print(f"{url}: HTTP {answer.status_code}", file=sys.stderr)
                return REFUSED
            with open(path, "wb") as file:
                for chunk in answer.iter_bytes():
                    file.write(chunk)
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        print(f"{url}: {error}", file=sys.stderr)
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
