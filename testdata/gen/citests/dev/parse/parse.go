package parse

import "strings"

func Port(addr string) string {
	return strings.Split(addr, ":")[1] // GUILTY
}
