module aged

go 1.24
