//go:build fixed

package main

import (
	"log"

	"github.com/gomodule/redigo/redis"
)

// start notes that a task began.
func start(pool *redis.Pool, key string) {
	conn := pool.Get()
	_, err := conn.Do("SET", key, "started")
	if err != nil {
		log.Print(err)
	}
	conn.Close()
	expire(pool, key)
}
