// Command redigo-second-connection keeps the state of groups of tasks in Redis; it plays Redis too.
//
// https://github.com/RichardKnop/machinery/issues/546
package main

import (
	"bufio"
	"log"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"

	"wild/kit"
)

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go serve(listener)
	pool := &redis.Pool{
		MaxActive: 3,
		MaxIdle:   3,
		Wait:      true,
		Dial:      func() (redis.Conn, error) { return redis.Dial("tcp", listener.Addr().String()) },
	}
	for worker := range 5 {
		go func() {
			for task := 0; ; task++ {
				start(pool, strconv.Itoa(worker)+"/"+strconv.Itoa(task))
				time.Sleep(50 * time.Millisecond)
			}
		}()
	}
	select {}
}

// expire lets a key live for an hour.
func expire(pool *redis.Pool, key string) {
	conn := pool.Get()
	defer conn.Close()
	if _, err := conn.Do("EXPIRE", key, 3600); err != nil {
		log.Print(err)
	}
}

// serve answers each command after some milliseconds.
func serve(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go func() {
			for r := bufio.NewReader(conn); ; {
				line, err := r.ReadString('\n')
				if err != nil {
					return
				}
				n, _ := strconv.Atoi(strings.TrimSpace(line[1:]))
				for range 2 * n {
					if _, err := r.ReadString('\n'); err != nil {
						return
					}
				}
				time.Sleep(5 * time.Millisecond)
				conn.Write([]byte("+OK\r\n"))
			}
		}()
	}
}
