// Encoders run a shell script for each clip and collect its output. The script leaves an uploader behind that holds the
// pipe of its output, so Run waits long after the script is done.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os/exec"
	"strings"

	"example.com/textbook/kit"
)

const script = `sleep 900 & echo encoded "$0"`

type encoder struct {
	clips <-chan string
	done  chan<- string
}

func (e encoder) encode(clip string) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command("sh", "-c", script, clip)
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w", clip, err)
	}
	return strings.TrimSpace(out.String()), nil
}

func (e *encoder) run() {
	for clip := range e.clips {
		text, err := e.encode(clip)
		if err != nil {
			text = err.Error()
		}
		e.done <- text
	}
}

func main() {
	kit.Start()
	clips, done := make(chan string), make(chan string)
	for range 3 {
		go (&encoder{clips, done}).run()
	}
	go func() {
		for n := 0; ; n++ {
			clips <- fmt.Sprintf("clip%04d.mov", n)
		}
	}()
	for text := range done {
		log.Print(text)
	}
}
