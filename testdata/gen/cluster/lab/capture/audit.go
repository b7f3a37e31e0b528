package capture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// A position is where an API server's audit log ends.
type position struct {
	path string
	at   int64
}

// positions are the ends of audit logs.
func positions(paths []string) ([]position, error) {
	var all []position
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		all = append(all, position{path, info.Size()})
	}
	return all, nil
}

// read returns what was written since the position, with short audit IDs. At the level Metadata the bodies are left out,
// which is all that an API server does at that level.
func (p position) read(level string, server int) ([]byte, error) {
	data, err := os.ReadFile(p.path)
	if err != nil {
		return nil, err
	}
	data = data[min(p.at, int64(len(data))):]
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	var out bytes.Buffer
	ids := map[string]int{}
	for line := range bytes.Lines(data) {
		renumber(line, ids, server)
		if level != "Metadata" {
			out.Write(line)
			continue
		}
		if err := metadata(&out, line); err != nil {
			return nil, fmt.Errorf("%s: %w", p.path, err)
		}
	}
	return out.Bytes(), nil
}

// renumber gives an event an audit ID with little in it: random ones are a third of a compressed log.
func renumber(line []byte, ids map[string]int, server int) {
	const before, length = `"auditID":"`, 36
	at := bytes.Index(line, []byte(before)) + len(before)
	if at < len(before) || at+length > len(line) {
		return
	}
	id := string(line[at : at+length])
	if ids[id] == 0 {
		ids[id] = len(ids) + 1
	}
	copy(line[at:], fmt.Sprintf("%08x-0000-4000-8000-%012x", server+1, ids[id]))
}

// metadata writes an event without its bodies, its members in the order in which they are.
func metadata(out *bytes.Buffer, line []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	separator := byte('{')
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		switch key {
		case "requestObject", "responseObject":
			continue
		case "level":
			value = json.RawMessage(`"Metadata"`)
		}
		fmt.Fprintf(out, "%c%q:%s", separator, key, value)
		separator = ','
	}
	out.WriteString("}\n")
	return nil
}

// auditName is the name of a server's audit log.
func auditName(i int) string { return fmt.Sprintf("audit-%d.log", i+1) }
