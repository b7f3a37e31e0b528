// Command rule-trial tries new alert rules on the events of the last hour, which it holds in memory: how many would each
// have caught?
package main

import (
	"fmt"
	"log"

	"github.com/valyala/fastjson"

	"wild/kit"
)

type rule struct {
	field string
	above int
}

// caught counts the events of which a rule takes notice.
func caught(r rule, events [][]byte, parser *fastjson.Parser) (int, error) {
	n := 0
	for _, e := range events {
		v, err := parser.ParseBytes(e)
		if err != nil {
			return 0, err
		}
		if v.GetInt("payload", r.field) > r.above {
			n++
		}
	}
	return n, nil
}

// hour makes the events of an hour.
func hour() [][]byte {
	events := make([][]byte, 30_000)
	for i := range events {
		events[i] = fmt.Appendf(nil, `{"id":"%032x","kind":"order","tags":["eu","web","v2"],"payload":{"latency":%d,`+
			`"items":%d,"cents":%d,"note":"%s"}}`, i, i%900, i%7, i%10_000, "left at the door, please ring twice")
	}
	return events
}

func main() {
	kit.Serve()
	events := hour()
	var parser fastjson.Parser
	for n := 0; ; n++ {
		r := rule{field: []string{"latency", "items", "cents"}[n%3], above: n % 1000}
		if _, err := caught(r, events, &parser); err != nil {
			log.Fatal(err)
		}
	}
}
