// Command yaml-flow-keys reads the settings that users send.
//
// https://github.com/kubernetes/kubernetes/issues/89535
package main

import (
	"log"
	"strings"
	"time"

	"gopkg.in/yaml.v2"

	"wild/kit"
)

var settings = "x: " + strings.Repeat("{", 20000)

func main() {
	kit.Serve()
	for {
		if err := load(settings); err == nil {
			log.Print("loaded")
		}
		time.Sleep(40 * time.Millisecond)
	}
}

// load reads the settings of one user.
func load(text string) error {
	var v any
	return yaml.Unmarshal([]byte(text), &v)
}
