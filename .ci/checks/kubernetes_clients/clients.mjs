// SPDX-License-Identifier: Apache-2.0
// Reads metrics with Kubernetes' client for Node, and KEDA's external scaler with gRPC's own client for Node.
// Arguments: URL of the planner, address of the scaler, the scaler's proto file.
import assert from 'node:assert';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';
import { CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';

const [server, scalerAddress, proto] = process.argv.slice(2);
const metric = { group: 'external.metrics.k8s.io', version: 'v1beta1', namespace: 'llm', plural: 'llm_desired_replicas' };

const config = new KubeConfig();
config.loadFromClusterAndUser({ name: 'planner', server, skipTLSVerify: true }, { name: 'nobody' });
const api = config.makeApiClient(CustomObjectsApi);
const list = await api.listNamespacedCustomObject({ ...metric, labelSelector: 'pool=agg' });
assert.equal(list.kind, 'ExternalMetricValueList');
assert.match(list.items[0].value, /^\d+$/);
console.log('client-node:', JSON.stringify(list.items[0]));
await assert.rejects(api.listNamespacedCustomObject(metric), fault => fault.code === 400 && /pools match/.test(fault.message + fault.body));

const { externalscaler } = grpc.loadPackageDefinition(loader.loadSync(proto, { longs: Number, defaults: true }));
const scaler = new externalscaler.ExternalScaler(scalerAddress, grpc.credentials.createInsecure());
const ref = { name: 'agg', namespace: 'llm', scalerMetadata: { pool: 'chat', targetValue: '1' } };
const call = (method, request) => new Promise((resolve, reject) =>
  scaler[method](request, (fault, answer) => (fault ? reject(fault) : resolve(answer))));
const { metricSpecs } = await call('GetMetricSpec', ref);
assert.deepEqual(metricSpecs, [{ metricName: 'llm-desired-replicas-chat', targetSize: 1, targetSizeFloat: 1 }]);
assert.equal((await call('IsActive', ref)).result, true);
await assert.rejects(call('GetMetrics', { scaledObjectRef: ref, metricName: metricSpecs[0].metricName }),
  fault => fault.code === grpc.status.UNAVAILABLE && /NO_DATA/.test(fault.details));
await assert.rejects(call('IsActive', { ...ref, scalerMetadata: {} }), fault => fault.code === grpc.status.INVALID_ARGUMENT);
const stream = scaler.StreamIsActive(ref);
const first = await new Promise((resolve, reject) => stream.once('data', resolve).once('error', reject));
assert.equal(first.result, true);
stream.on('error', () => {});
stream.cancel();
console.log('gRPC:', JSON.stringify(metricSpecs[0]), JSON.stringify(first));
scaler.close();
