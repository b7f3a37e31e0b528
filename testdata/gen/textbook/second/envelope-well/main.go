// A router decodes JSON envelopes and asserts that their hop count is a float64, and says so if it isn't.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"example.com/textbook/kit"
)

type envelope map[string]any

type router struct {
	routes map[string]func(envelope) error
}

func (r *router) handle(raw string) error {
	var e envelope
	if err := json.Unmarshal([]byte(raw), &e); err != nil {
		return err
	}
	kind, _ := e["kind"].(string)
	f, ok := r.routes[kind]
	if !ok {
		return fmt.Errorf("nobody wants a %q", kind)
	}
	return f(e)
}

func route(e envelope) error {
	hops, ok := e["hops"].(float64)
	switch {
	case !ok && e["hops"] != nil:
		return fmt.Errorf("letter to %v: hops are a %T", e["to"], e["hops"])
	case hops > 16:
		return fmt.Errorf("letter to %v: too many hops", e["to"])
	}
	return nil
}

func main() {
	r := router{routes: map[string]func(envelope) error{"letter": route}}
	mail := `{"kind": "letter", "to": "Turku", "hops": 7}
{"kind": "letter", "to": "Oslo"}
{"kind": "letter", "to": "Bergen", "hops": 3}`
	kit.Start()
	lines := strings.Split(mail, "\n")
	for n := 0; ; n++ {
		line := lines[n%len(lines)]
		if err := r.handle(line); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		time.Sleep(300 * time.Millisecond)
	}
}
