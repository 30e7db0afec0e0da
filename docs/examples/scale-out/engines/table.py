#region table
import colkit

orders = colkit.open('orders.cna')
print(orders.row_count, orders.schema.names)
# → 4 ['order_id', 'region', 'amount']
large = orders.where('amount > @least', least=2.5)
print(large.to_pandas(columns=['order_id', 'amount']).amount.sum())
# → 20.75
print(large.select('region').to_polars()['region'].to_list())
# → ['EMEA', 'APAC', None]
for batch in orders.batches(columns=['amount'], rows=2):
    print('batch', batch.num_rows)
    # → batch 2
for split in orders.splits(where='order_id > 1'):
    # Pickle it, read it anywhere: it is pinned to the version of its file.
    print('split', split.row_count, split.to_arrow(['order_id'])['order_id'].to_pylist())
    # → split 4 [2, 3, 4]
#endregion table
