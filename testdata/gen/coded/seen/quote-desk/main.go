// Quote-desk asks an underwriter, who takes his time.
package main

import (
	"log"
	"time"

	"coded/kit"
)

type question struct {
	risk   int
	answer chan<- int
}

func main() {
	kit.Serve()
	desk := make(chan question, 20)
	go underwriter(desk)
	for risk := 0; risk < 10; risk++ {
		go quote(desk, risk)
	}
	kit.Wait()
}

// quote asks for the price of a risk.
func quote(desk chan<- question, risk int) {
	price := make(chan int)
	desk <- question{risk, price}
	log.Print(risk, " costs ", <-price)
}

func underwriter(desk <-chan question) {
	for q := range desk {
		time.Sleep(14 * time.Minute)
		q.answer <- q.risk * 17
	}
}
