//go:build fixed

package main

import "fmt"

const maxExponent = 100

// price returns the amount of an order as a float. Ten to the power of a great exponent takes minutes: such amounts are
// refused.
func price(o order) (float64, error) {
	if e := o.amount.Exponent(); e > maxExponent || e < -maxExponent {
		return 0, fmt.Errorf("order %d: exponent %d", o.id, e)
	}
	value, _ := o.amount.Float64()
	return value, nil
}
