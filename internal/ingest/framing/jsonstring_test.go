package framing

import (
	"bytes"
	"encoding/json"
	"strings"
)

// jsonString quotes s as docker and zap do: without escaping <, > and &.
func jsonString(s string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(s)
	return strings.TrimSuffix(b.String(), "\n"), err
}
