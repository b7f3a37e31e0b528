// Package tunnel passes bytes between clients and a server, both ways; most say nothing for long.
package tunnel

import (
	"io"
	"net"
	"sync"
	"time"

	"example.com/services/kit"
)

func listen(handle func(net.Conn)) string {
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
			go handle(c)
		}
	}()
	return l.Addr().String()
}

func echo(c net.Conn) {
	io.Copy(c, c)
	c.Close()
}

func proxy(to string) func(net.Conn) {
	return func(c net.Conn) {
		up, err := net.Dial("tcp", to)
		if err != nil {
			c.Close()
			return
		}
		var wg sync.WaitGroup
		wg.Add(2)
		go func() { defer wg.Done(); io.Copy(up, c); up.Close() }()
		go func() { defer wg.Done(); io.Copy(c, up); c.Close() }()
		wg.Wait()
	}
}

func talk(to string, every time.Duration) {
	c, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	buf := make([]byte, 8)
	for {
		c.Write(buf)
		io.ReadFull(c, buf)
		time.Sleep(every)
	}
}

func Main() {
	kit.Start()
	to := listen(proxy(listen(echo)))
	for i := range 40 {
		go talk(to, time.Duration(i+1)*10*time.Second)
	}
	kit.Wait()
}
