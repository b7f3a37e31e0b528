module example.com/well

go 1.18
