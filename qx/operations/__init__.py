"""Operations of plugins: what a class declares (``declared``), and how it is called (``running``)."""
