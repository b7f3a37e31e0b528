package main

import (
	"errors"
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	for i := 0; i < 40; i++ {
		if err := load("ab?cd"); err != nil {
			log.Print(err)
		}
		time.Sleep(time.Second)
	}
	select {}
}

func load(text string) error {
	rows := make(chan string)
	go produce(rows, text)
	for row := range rows {
		if row == "?" {
			return errors.New("bad row")
		}
	}
	return nil
}

func produce(rows chan<- string, text string) {
	defer close(rows)
	parse(rows, text)
}

func parse(rows chan<- string, text string) {
	for _, r := range text {
		rows <- string(r)
	}
}
