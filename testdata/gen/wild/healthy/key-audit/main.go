// Command key-audit counts which versions the keys of a table have.
package main

import (
	"log"

	"github.com/google/uuid"

	"wild/kit"
)

// keys makes the keys of a table.
func keys(n int) ([]string, error) {
	all := make([]string, n)
	for i := range all {
		k, err := uuid.NewRandom()
		if err != nil {
			return nil, err
		}
		all[i] = k.String()
	}
	return all, nil
}

// versions reads each key once.
func versions(keys []string) (count [16]int, err error) {
	for _, k := range keys {
		id, err := uuid.Parse(k)
		if err != nil {
			return count, err
		}
		count[id.Version()]++
	}
	return count, nil
}

func main() {
	kit.Serve()
	all, err := keys(300_000)
	if err != nil {
		log.Fatal(err)
	}
	for {
		if _, err := versions(all); err != nil {
			log.Fatal(err)
		}
	}
}
