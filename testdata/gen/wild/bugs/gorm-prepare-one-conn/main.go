// Command gorm-prepare-one-conn moves money between accounts and reports balances, with a database that allows one
// connection.
//
// Report: https://github.com/go-gorm/gorm/issues/7465
package main

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/utils/tests"
	"wild/kit"
)

// An account is one row.
type account struct {
	ID      int
	Balance int
}

// TableName names the table for gorm.
func (account) TableName() string { return "accounts" }

// open returns the database.
func open() (*gorm.DB, error) {
	sql.Register("ledger", ledger{})
	pool, err := sql.Open("ledger", "")
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	return gorm.Open(tests.DummyDialector{}, &gorm.Config{ConnPool: pool, PrepareStmt: prepare})
}

// approve asks the risk service whether an amount may move.
func approve(amount int) error {
	time.Sleep(150 * time.Millisecond)
	if amount > 1000 {
		return fmt.Errorf("%d is too much", amount)
	}
	return nil
}

// transfer moves an amount from one account to another, if it is approved and there.
func transfer(db *gorm.DB, from, to, amount int) error {
	return db.Transaction(func(tx *gorm.DB) error {
		if err := approve(amount); err != nil {
			return err
		}
		var a account
		if err := tx.Where("id = ?", from).Find(&a).Error; err != nil {
			return err
		}
		if a.Balance < amount {
			return fmt.Errorf("account %d has only %d", from, a.Balance)
		}
		if err := tx.Exec("UPDATE accounts SET balance = balance - ? WHERE id = ?", amount, from).Error; err != nil {
			return err
		}
		return tx.Exec("UPDATE accounts SET balance = balance + ? WHERE id = ?", amount, to).Error
	})
}

// report returns the balance of an account.
func report(db *gorm.DB, id int) (int, error) {
	var a account
	err := db.Where("id = ?", id).Find(&a).Error
	return a.Balance, err
}

// teller transfers every three seconds.
func teller(db *gorm.DB) {
	for n := 0; ; n++ {
		if err := transfer(db, n%5, (n+1)%5, 10); err != nil {
			log.Print("transfer: ", err)
		}
		time.Sleep(3 * time.Second)
	}
}

// office reports the accounts, two a second, a moment after the day has begun.
func office(db *gorm.DB) {
	time.Sleep(50 * time.Millisecond)
	for n := 0; ; n++ {
		if _, err := report(db, n%5); err != nil {
			log.Print("report: ", err)
		}
		time.Sleep(500 * time.Millisecond)
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	db, err := open()
	if err != nil {
		log.Fatal(err)
	}
	go teller(db)
	go office(db)
	<-ctx.Done()
}
