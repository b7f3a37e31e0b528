// A router decodes JSON envelopes and asserts that their hop count is an int. Numbers in JSON are float64, and the first
// letter with hops ends the process.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
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
	if hops, ok := e["hops"]; ok && hops.(int) > 16 {
		return fmt.Errorf("letter to %v: too many hops", e["to"])
	}
	return nil
}

func main() {
	r := router{routes: map[string]func(envelope) error{"letter": route}}
	mail := `{"kind": "card"}
{"kind": "letter", "to": "Oslo"}
{"kind": "letter", "to": "Bergen", "hops": 3}`
	for _, line := range strings.Split(mail, "\n") {
		if err := r.handle(line); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}
