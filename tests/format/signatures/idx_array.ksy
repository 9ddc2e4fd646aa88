meta:
  id: idx_array
  title: IDX, the array format of MNIST
  file-extension:
    - idx
    - idx1-ubyte
    - idx3-ubyte
  license: CC0-1.0
  ks-version: 0.11
  endian: be
doc: |
  An array of numbers of one type, with any number of dimensions. MNIST, Fashion-MNIST, EMNIST, KMNIST and
  QMNIST are published in this format, mostly compressed by gzip.

  Dimension 0 counts the records; the others are the shape of a record. The last dimension is the fastest.
  A file of images such as MNIST's has the dimensions records, rows and columns, and the magic number 2051;
  a file of labels has one dimension, and the magic number 2049. Without dimensions there is one element.
  One size of 0 makes the array empty.

  The elements are big-endian, as the sizes are.
doc-ref: http://yann.lecun.com/exdb/mnist/
seq:
  - id: magic
    contents: [0, 0]
  - id: element_type
    type: u1
    enum: element_types
    valid:
      in-enum: true
  - id: rank
    type: u1
    doc: The number of dimensions.
  - id: sizes
    type: u4
    repeat: expr
    repeat-expr: rank
    doc: The sizes of the dimensions, the slowest first.
  - id: products
    type: product(_index)
    repeat: expr
    repeat-expr: rank
    doc: No bytes; the number of elements in the first dimensions.
  - id: elements
    type:
      switch-on: element_type
      cases:
        'element_types::u8': u1
        'element_types::i8': s1
        'element_types::i16': s2
        'element_types::i32': s4
        'element_types::f32': f4
        'element_types::f64': f8
    repeat: expr
    repeat-expr: num_elements
  - id: end
    size: 0
    valid:
      expr: _io.eof
    doc: Nothing follows the last element.
instances:
  num_elements:
    value: 'rank == 0 ? 1 : products[rank - 1].value'
types:
  product:
    params:
      - id: index
        type: s4
    instances:
      value:
        value: |
          index == 0
            ? _root.sizes[0].as<u8>
            : (_root.products[index - 1].value * _root.sizes[index]).as<u8>
enums:
  element_types:
    0x08: u8
    0x09: i8
    0x0b: i16
    0x0c: i32
    0x0d: f32
    0x0e: f64
