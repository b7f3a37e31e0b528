//go:build !fixed

package main

import (
	"log"

	"github.com/gomodule/redigo/redis"
)

// start notes that a task began.
func start(pool *redis.Pool, key string) {
	conn := pool.Get()
	defer conn.Close()
	if _, err := conn.Do("SET", key, "started"); err != nil {
		log.Print(err)
	}
	expire(pool, key)
}
