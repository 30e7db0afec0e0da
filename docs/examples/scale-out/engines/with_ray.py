#region ray
import colkit.ray
from ray.data.expressions import col

orders = colkit.ray.read('orders.cna').filter(expr=col('order_id') < 4).select_columns(['amount'])
print('total', orders.sum('amount'))
# → total 19.75
#endregion ray
