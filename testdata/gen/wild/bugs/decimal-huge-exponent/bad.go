//go:build !fixed

package main

// price returns the amount of an order as a float.
func price(o order) (float64, error) {
	value, _ := o.amount.Float64()
	return value, nil
}
