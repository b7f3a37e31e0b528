// Package sessions keeps sessions in a store with a pool of connections that is always at its limit.
package sessions

import (
	"context"
	"net"
	"time"

	"example.com/services/kit"
	"example.net/lib/connpool"
)

type Store struct {
	pool *connpool.Pool
	addr string
}

func (s *Store) Load(ctx context.Context) error {
	c, err := s.pool.Get(ctx)
	if err != nil {
		return err
	}
	defer s.pool.Put(c)
	return s.query()
}

func (s *Store) query() error {
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Read(make([]byte, 1))
	return err
}

func Main() {
	kit.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			time.AfterFunc(400*time.Millisecond, func() { c.Close() })
		}
	}()
	s := &Store{connpool.New(5), l.Addr().String()}
	for range 30 {
		go func() {
			for {
				s.Load(context.Background())
			}
		}()
	}
	kit.Wait()
}
