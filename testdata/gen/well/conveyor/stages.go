package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

type record struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
	Sum  []byte `json:"sum"`
}

// read is the source: there is always more to read.
func read() <-chan []byte {
	lines := make(chan []byte)
	go func() {
		for id := 0; ; id++ {
			lines <- []byte(fmt.Sprintf(`{"id":%d,"text":"parcel %d"}`, id, id))
		}
	}()
	return lines
}

// stage starts n workers that turn lines into lines; what they return is closed when the last of them ends.
func stage(n int, in <-chan []byte, work func([]byte) []byte) <-chan []byte {
	out := make(chan []byte, 8)
	var workers sync.WaitGroup
	for i := 0; i < n; i++ {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for line := range in {
				out <- work(line)
			}
		}()
	}
	go func() {
		workers.Wait()
		close(out)
	}()
	return out
}

func parse(line []byte) []byte {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return nil
	}
	return append([]byte(nil), line...)
}

func enrich(line []byte) []byte {
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return nil
	}
	sum := sha256.Sum256(bytes.Repeat(line, 64))
	r.Sum = sum[:]
	text, err := json.Marshal(r)
	if err != nil {
		return nil
	}
	return text
}

// tee copies each line to a second consumer, which counts bytes.
func tee(in <-chan []byte) <-chan []byte {
	out, count := make(chan []byte), make(chan int)
	go func() {
		defer close(out)
		defer close(count)
		for line := range in {
			out <- line
			count <- len(line)
		}
	}()
	go func() {
		total := 0
		for n := range count {
			total += n
		}
	}()
	return out
}

// store is the slow end: a batch takes its time.
func store(lines <-chan []byte, done chan<- struct{}) {
	defer close(done)
	for range lines {
		time.Sleep(12 * time.Millisecond)
	}
}
