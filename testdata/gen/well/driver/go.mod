module example.com/welldriver

go 1.26
