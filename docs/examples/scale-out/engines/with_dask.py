#region dask
import colkit.dask
from dask.distributed import Client

if __name__ == '__main__':
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None):
        orders = colkit.dask.read('orders.cna', where='order_id < 4')
        print(orders.groupby('region').amount.sum().compute().sort_index().to_dict())
        # → {'APAC': 7.25, 'EMEA': 12.5}
#endregion dask
