package main

import "coded/kit"

type ask struct {
	n     int
	reply chan int
}
type srv struct{ asks chan *ask }

func (s *srv) run() {
	for a := range s.asks {
		if a.n == 3 {
			return
		}
		a.reply <- a.n
	}
}
func (s *srv) do(n int) int { a := &ask{n, make(chan int)}; s.asks <- a; return <-a.reply }
func main() {
	kit.Serve()
	s := &srv{make(chan *ask)}
	go s.run()
	for i := 0; i < 5; i++ {
		s.do(i)
	}
	kit.Wait()
}
