package redact

import (
	"path"
	"strings"
)

// extension is the last extension of a file's name where it is one that says what the file is, so that it isn't taken
// for a part of a host's name: node1.acme.com.zip.
func extension(name string) string {
	ext := path.Ext(name)
	switch strings.ToLower(ext) {
	case ".log", ".txt", ".yaml", ".yml", ".json", ".zip", ".tar", ".gz", ".tgz", ".xz", ".txz", ".zst", ".bz2", ".pb",
		".out", ".prof", ".pprof", ".conf", ".cfg", ".html", ".crt", ".pem", ".key", ".csv", ".toml", ".ini",
		".service", ".previous", ".old", ".err", ".md":
		return ext
	}
	if len(ext) > 1 && allDigits([]byte(ext[1:])) && len(ext) <= 4 && strings.Contains(name, ".log") {
		return ext
	}
	return ""
}

// stemOf is a file's name without its extensions.
func stemOf(name string) string {
	for {
		ext := extension(name)
		if ext == "" || ext == name {
			return name
		}
		name = strings.TrimSuffix(name, ext)
	}
}
