module wild/clamd-stream-abort

go 1.26

require (
	github.com/dutchcoders/go-clamd v0.0.0-20170520113014-b970184f4d9e
	wild/kit v0.0.0
)

replace wild/kit => ../../kit
