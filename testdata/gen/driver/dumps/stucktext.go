package dumps

import (
	"bytes"
	"strings"
)

// shown are those of the functions, separated by "|", that a dump shows.
func shown(dump []byte, functions string) string {
	var list []string
	for _, f := range strings.Split(functions, "|") {
		if bytes.Contains(dump, []byte(f+"(")) || bytes.Contains(dump, []byte("created by "+f+"\n")) ||
			bytes.Contains(dump, []byte("created by "+f+" in ")) {
			list = append(list, f)
		}
	}
	return strings.Join(list, "|")
}
