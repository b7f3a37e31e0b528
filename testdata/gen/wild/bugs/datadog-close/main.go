// Command datadog-close runs jobs, each with a client for its metrics.
//
// https://github.com/DataDog/datadog-go/issues/123
package main

import (
	"log"
	"net"
	"time"

	"github.com/DataDog/datadog-go/statsd"

	"wild/kit"
)

func main() {
	kit.Serve()
	agent, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		buf := make([]byte, 64<<10)
		for {
			agent.ReadFrom(buf)
		}
	}()
	for n := 0; ; n++ {
		job(agent.LocalAddr().String())
	}
}

// job is one of the jobs.
func job(agent string) {
	client, err := statsd.New(agent, statsd.WithBufferFlushInterval(100*time.Microsecond))
	if err != nil {
		log.Print(err)
		return
	}
	for range 10 {
		client.Incr("steps", nil, 1)
		time.Sleep(100 * time.Microsecond)
	}
	client.Close()
}
