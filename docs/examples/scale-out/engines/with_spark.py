#region spark
import colkit.spark
from pyspark.sql import SparkSession

spark = SparkSession.builder.master('local[2]').getOrCreate()
# Off by default; before `register`, which takes conditions where it is on.
spark.conf.set('spark.sql.python.filterPushdown.enabled', 'true')
colkit.spark.register(spark)
# Spark never hands over which columns a query needs: without `columns` all are read.
orders = spark.read.format('colkit').option('columns', 'region,amount,order_id').load('orders.cna')
print(orders.where('order_id < 4').groupBy('region').sum('amount').orderBy('region').collect())
# → [Row(region='APAC', sum(amount)=7.25), Row(region='EMEA', sum(amount)=12.5)]
#endregion spark
