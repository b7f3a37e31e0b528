// Command puddle-create-closed is a service that replaces its pool of connections when its configuration changes.
//
// https://github.com/jackc/puddle/pull/9
package main

import (
	"context"
	"log"
	"sync"
	"time"

	"github.com/jackc/puddle"

	"wild/kit"
)

var (
	mu      sync.Mutex
	current *puddle.Pool
)

func main() {
	kit.Serve()
	old := puddle.NewPool(connect, func(interface{}) {}, 5)
	current = old
	go old.CreateResource(context.Background())
	time.Sleep(100 * time.Millisecond)
	go watch(old)
	go func() {
		for range time.Tick(500 * time.Millisecond) {
			go query(old)
		}
	}()
	old.Close()
	log.Print("closed")
	select {}
}

// connect makes a connection.
func connect(context.Context) (interface{}, error) {
	time.Sleep(2 * time.Second)
	return "connection", nil
}

// watch prints how the pool does.
func watch(pool *puddle.Pool) {
	for range time.Tick(5 * time.Second) {
		log.Print(pool.Stat().TotalResources(), " connections")
	}
}

// query asks for something.
func query(pool *puddle.Pool) error {
	conn, err := pool.Acquire(context.Background())
	if err != nil {
		return err
	}
	time.Sleep(10 * time.Millisecond)
	conn.Release()
	return nil
}
