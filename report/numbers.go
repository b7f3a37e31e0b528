package report

import (
	"strconv"
	"strings"
)

// number writes n with commas between thousands: "37,021".
func number[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	digits := strings.TrimPrefix(s, "-")
	var b strings.Builder
	b.WriteString(s[:len(s)-len(digits)])
	for i := 0; i < len(digits); i++ {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// count writes a number and its noun: "1 goroutine", "2,764 goroutines".
func count[T int | int64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return number(n) + " " + plural(noun)
}

func plural(noun string) string {
	if head, ok := strings.CutSuffix(noun, "y"); ok && !strings.HasSuffix(head, "a") {
		return head + "ies"
	}
	if strings.HasSuffix(noun, "ss") {
		return noun + "es"
	}
	return noun + "s"
}

// percent writes a share of 1: "3.4 %", "87 %".
func percent(share float64) string {
	if share < 0.1 {
		return strconv.FormatFloat(share*100, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(share*100, 'f', 0, 64) + " %"
}
