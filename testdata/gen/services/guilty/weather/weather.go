// Package weather asks stations in the field for what they measure.
package weather

import (
	"fmt"
	"net"
	"net/http"
	"time"

	"example.com/services/kit"
)

type Stations struct {
	client *http.Client
	base   string
}

func (s *Stations) measure(id int) error {
	answer, err := s.client.Get(fmt.Sprintf("%s/station/%d", s.base, id))
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// silent is a station that takes calls and never answers.
func silent() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		var kept []net.Conn
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			kept = append(kept, c)
		}
	}()
	return "http://" + l.Addr().String()
}

func Main() {
	kit.Start()
	s := &Stations{&http.Client{}, silent()}
	for i := 0; ; i++ {
		go s.measure(i)
		time.Sleep(2 * time.Second)
	}
}
