module wild/workerpool-per-batch

go 1.26

require (
	github.com/gammazero/workerpool v1.1.1
	wild/kit v0.0.0
)

require github.com/gammazero/deque v0.0.0-20200721202602-07291166fe33 // indirect

replace wild/kit => ../../kit
