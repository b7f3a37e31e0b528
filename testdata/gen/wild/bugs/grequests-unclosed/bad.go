//go:build !fixed

package main

import (
	"fmt"

	"github.com/levigross/grequests"
)

// price asks for a price.
func price(shop string, thing int64) error {
	answer, err := grequests.Get(address(shop, thing), nil)
	if err != nil {
		return err
	}

	if !answer.Ok {
		return fmt.Errorf("no price: %d", answer.StatusCode)
	}
	return nil
}
