#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes an authority and a serving certificate for the Service planner in namespace llm, valid for a year, and the patch that
# tells kube-aggregator the authority. Writes ca.crt, tls.crt, tls.key and apiservice-ca.yaml beside this script; run it again
# to renew. Needs openssl.
set -euo pipefail
cd "$(dirname "$0")"
names=planner.llm.svc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 077

openssl ecparam -name prime256v1 -genkey -noout -out "$work/ca.key"
openssl req -x509 -new -key "$work/ca.key" -sha256 -days 365 -subj "/CN=planner-ca" -out ca.crt \
  -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign,cRLSign"
openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out tls.key
openssl req -new -key tls.key -subj "/CN=$names" -out "$work/tls.csr"
cat >"$work/ext" <<EOF
subjectAltName=DNS:$names,DNS:$names.cluster.local
extendedKeyUsage=serverAuth
basicConstraints=CA:FALSE
EOF
openssl x509 -req -in "$work/tls.csr" -CA ca.crt -CAkey "$work/ca.key" -CAcreateserial -CAserial "$work/serial" \
  -sha256 -days 365 -extfile "$work/ext" -out tls.crt 2>/dev/null
cat >apiservice-ca.yaml <<EOF
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata:
  name: v1beta1.external.metrics.k8s.io
spec:
  caBundle: $(base64 -w0 ca.crt 2>/dev/null || base64 ca.crt | tr -d '\n')
EOF
echo "made $(pwd)/{ca.crt,tls.crt,tls.key,apiservice-ca.yaml}; now: kubectl apply -k $(pwd)"
