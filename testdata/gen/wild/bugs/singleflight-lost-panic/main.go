// Command rates answers what a currency costs. Whoever asks at the same time as others shares one look into the table.
//
// Report: https://github.com/golang/go/issues/33519
package main

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
	"wild/kit"
)

// table is what the bank sent. Its last line was cut off.
const table = "USD;1.09\nGBP;0.84\nEUR"

var errTable = errors.New("the table cannot be read")

var (
	g        singleflight.Group
	failures atomic.Int64
	answers  atomic.Int64
)

// load reads the table from its end, where the newest rates are.
func load() (any, error) {
	lines := strings.Split(table, "\n")
	newest := strings.Split(lines[len(lines)-1], ";")
	return newest[1], nil
}

// get returns the newest rate. A table that cannot be read must not end the process.
func get() (rate string, err error) {
	defer func() {
		if r := recover(); r != nil {
			failures.Add(1)
			err = errTable
		}
	}()
	v, err, _ := g.Do("k", load)
	if err != nil {
		return "", err
	}
	answers.Add(1)
	return v.(string), nil
}

// refresh keeps the rate of one branch office up to date.
func refresh(office string) {
	for range time.Tick(2 * time.Second) {
		rate, err := get()
		if err != nil {
			continue // the old rate stays
		}
		log.Printf("%s: %s", office, rate)
	}
}

func handleCounts(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "%d answers, %d failures\n", answers.Load(), failures.Load())
}

func main() {
	kit.Serve()
	http.HandleFunc("/counts", handleCounts)
	if _, err := get(); err != nil {
		log.Print(err)
	}
	for _, office := range []string{"north", "south", "west"} {
		go refresh(office)
	}
	for range time.Tick(3 * time.Second) {
		rate, err := get()
		if err != nil {
			log.Print(err)
			continue
		}
		log.Printf("rate %s, %d answers", rate, answers.Load())
	}
}
