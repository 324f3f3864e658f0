package farm

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Secret is what a sweep that listens shares with its workers. Both keys come
// from it: that of the server's TLS certificate, by which a worker knows the
// server, and the one by which the server knows a worker. So each knows the
// other, nothing travels in the clear, and there are no certificates to make.
type Secret struct{ user nkeys.KeyPair }

// NewSecret makes a secret.
func NewSecret() (*Secret, error) {
	user, err := nkeys.CreateUser()
	return &Secret{user}, err
}

// ReadSecret reads the secret in a file.
func ReadSecret(path string) (*Secret, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the secret cannot be read: %w", err)
	}
	text = bytes.TrimSpace(text)
	kind, _, err := nkeys.DecodeSeed(text)
	if err != nil || kind != nkeys.PrefixByteUser {
		return nil, fmt.Errorf("%s: not a secret: expected one line that begins with SU, as rocesim sweep --listen makes it", path)
	}
	if err := checkPrivate(path); err != nil {
		return nil, err
	}
	user, err := nkeys.FromSeed(text)
	return &Secret{user}, err
}

// ReadOrMakeSecret reads the secret in a file, or makes one there that only
// its owner can read. made says that it did.
func ReadOrMakeSecret(path string) (s *Secret, made bool, err error) {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		s, err := ReadSecret(path)
		return s, false, err
	}
	if s, err = NewSecret(); err != nil {
		return nil, false, err
	}
	text, err := s.Text()
	if err != nil {
		return nil, false, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, false, fmt.Errorf("the secret cannot be kept: %w", err)
	}
	if err := writePrivate(path, text+"\n"); err != nil {
		return nil, false, fmt.Errorf("the secret cannot be kept: %w", err)
	}
	return s, true, nil
}

// writePrivate writes a file that only its owner can read, and which is there
// as a whole or not at all: a worker may wait for it.
func writePrivate(path, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".secret-") // readable by its owner alone
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// checkPrivate reports as an error that others may read a file that they must
// not know. Its group may: mounted secrets of container platforms are read so.
func checkPrivate(path string) error {
	if path == "" || runtime.GOOS == "windows" { // where the bits say nothing
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if mode := info.Mode().Perm(); mode&0o027 != 0 {
		return fmt.Errorf("%s can be read by everybody or written by others (mode %04o), so it is no secret: chmod 600 it, and make a new one if others may have read it", path, mode)
	}
	return nil
}

// Text is the secret as it stands in a file.
func (s *Secret) Text() (string, error) {
	seed, err := s.user.Seed()
	return string(seed), err
}

// tlsKey is the key of the server's certificate.
func (s *Secret) tlsKey() (ed25519.PrivateKey, error) {
	seed, err := s.user.Seed()
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, seed)
	mac.Write([]byte("rocesim server certificate"))
	return ed25519.NewKeyFromSeed(mac.Sum(nil)), nil
}

// serverTLS is the server's side.
func (s *Secret) serverTLS() (*tls.Config, error) {
	key, err := s.tlsKey()
	if err != nil {
		return nil, err
	}
	// Workers look at the key alone, so the rest of the certificate is the same
	// for all, and never expires.
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "rocesim"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<33, 0),
	}
	der, err := x509.CreateCertificate(nil, template, template, key.Public(), key) // Ed25519 needs no random numbers
	if err != nil {
		return nil, err
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
	}, nil
}

// clientTLS is the worker's side: it accepts that one key, which the handshake
// proves the server to have, and no authority's word.
func (s *Secret) clientTLS() (*tls.Config, error) {
	key, err := s.tlsKey()
	if err != nil {
		return nil, err
	}
	want := key.Public().(ed25519.PublicKey)
	return &tls.Config{
		MinVersion: tls.VersionTLS13, InsecureSkipVerify: true,
		VerifyConnection: func(state tls.ConnectionState) error {
			got, ok := state.PeerCertificates[0].PublicKey.(ed25519.PublicKey)
			if !ok || !want.Equal(got) {
				return errOtherSecret
			}
			return nil
		},
	}, nil
}

var errOtherSecret = errors.New("the server does not have the same secret")

// options make a client use the secret.
func (s *Secret) options() ([]nats.Option, error) {
	config, err := s.clientTLS()
	if err != nil {
		return nil, err
	}
	public, err := s.user.PublicKey()
	if err != nil {
		return nil, err
	}
	return []nats.Option{nats.Secure(config), nats.Nkey(public, s.user.Sign)}, nil
}
