// Command telemetry-parse sums up what devices sent: it reads a spool of JSON documents, one a line, with a parser that
// keeps its memory from one document to the next.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"

	"github.com/valyala/fastjson"

	"wild/kit"
)

// write makes a spool of some forty megabytes.
func write(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for doc := 0; doc < 4_000; doc++ {
		fmt.Fprintf(w, `{"device":"d-%d","values":[`, doc%97)
		for i := 0; i < 200; i++ {
			fmt.Fprintf(w, `{"sensor":"s-%d","unit":"celsius","at":%d,"value":%d.5},`, i, doc*200+i, i%60)
		}
		fmt.Fprintln(w, `{"sensor":"end","value":0}]}`)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// total reads a spool and adds up the first value of each document.
func total(name string, parser *fastjson.Parser) (float64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 1<<20), 1<<20)
	sum := 0.0
	for lines.Scan() {
		doc, err := parser.ParseBytes(lines.Bytes())
		if err != nil {
			return 0, err
		}
		sum += doc.GetFloat64("values", "0", "value")
	}
	return sum, lines.Err()
}

func main() {
	kit.Serve()
	if err := write("spool"); err != nil {
		log.Fatal(err)
	}
	var parser fastjson.Parser
	for {
		if _, err := total("spool", &parser); err != nil {
			log.Fatal(err)
		}
	}
}
