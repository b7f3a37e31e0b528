module wild/facebook-clock-undrained

go 1.26

require (
	github.com/facebookgo/clock v0.0.0-20150410010913-600d898af40a
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
